#!/bin/sh
# certificates.sh [COUNT [SEED]] -- random certificates written by the program, and Coq's answer: every check says yes to the program's
# integers, and no when one of them is made better by one: the value, the number of segments or their lengths one more, or what they do one
# less.  COUNT: of each theorem, where so many are found among 4 COUNT questions of each kind.  One of each theorem is compiled whole, ending
# in the theorem for its numbers.   WRITER: the program built of certificates.c; JOBS: of Coq at one time; ONLY: of the lines SPEC MEMORY
# BOUND those that match, as in ONLY=' gates$'.
: "${WRITER:=../build/release/proofs/certificates}" "${COQC:=coqc}" "${JOBS:=2}"
count=${1:-20} seed=${2:-1}
cd "$(dirname "$0")" || exit 1
proofs=$PWD
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
flags="-w -notation-overridden,-ambiguous-paths,-require-in-module -noglob -R $proofs redblue"

sh random_specs.sh "$dir" $((4 * count)) "$seed" >"$dir/specs"
# each job has its rounds, and its share of each theorem
job() {
  cd "$dir" || exit 1
  awk -v job="$1" -v jobs="$JOBS" '$1 == "round" { i++; next } i % jobs == job' specs | grep -E -- "${ONLY:-.}" >"lines$1"
  "$WRITER" $(((count + JOBS - 1) / JOBS)) <"lines$1" >"written$1" 2>"said$1" || return 1
  awk -f "$proofs/certificates.awk" "written$1" >"job$1.v" 2>>"said$1" || return 1
  # shellcheck disable=SC2086
  $COQC $flags "job$1.v" >"out$1" 2>&1 || { cp "job$1.v" "$proofs/failed.v"; cat "out$1"; return 1; }
  # what those that are compiled whole rest on: the last answer
  sed '1,/^@@$/d' "out$1" | grep -qx 'Closed under the global context' || { sed '1,/^@@$/d' "out$1"; return 1; }
}
j=0 pids=
while [ "$j" -lt "$JOBS" ]; do
  job "$j" & pids="$pids $!"
  j=$((j + 1))
done
bad=0
for pid in $pids; do wait "$pid" || bad=1; done
[ "$bad" = 0 ] || { cat "$dir"/said*; exit 1; }
# for each theorem how many Coq accepted and refused; wrong answers by the number in the job's file
for out in "$dir"/out*; do
  { sed '/^@@$/,$d' "$out" | tr '\n' ' '; echo; } | sed 's/@ /\n@ /g' | sed -n 's/^@ \([a-z_0-9]*\) *= \(.*\) : N .*/\1 \2/p' | sed 's/%num//g; s/  */ /g' |
    sed -n 's/^\([a-z_0-9]*\) (\([0-9]*\), \[::\([^]]*\)\], (\([0-9]*\), \[::\([^]]*\)\])) *$/\1|\2|\3|\4|\5/p' | tr -d ' ' | sed "s/$/|${out##*/out}/"
done | sort >"$dir/answers"
awk -F'|' -v dir="$dir" '
  function tell(ids, what, id, n, i) {
    n = split(ids, id, ";")
    for (i = 1; i <= n; i++) { bad = 1; system("grep -h \"^(\\* " id[i] ": \" " dir "/job" $6 ".v | sed \"s/^/" what ": /\"") }
    return n
  }
  { yes[$1] += $2; refused[$1] += tell($3, "Coq refuses " $1); no[$1] += $4; accepted[$1] += tell($5, "Coq accepts, made better, " $1) }
  END {
    for (t in yes) {
      printf "%s: %d of %d accepted with the program'"'"'s integers, %d of %d refused, made better by one\n", t, yes[t] - refused[t], yes[t], no[t] - accepted[t], no[t] | "sort"
      all++
    }
    close("sort"); exit bad || !all
  }' "$dir/answers" || { for v in "$dir"/job*.v; do cp "$v" "failed_${v##*/}"; done; echo "see proofs/failed_job*.v"; exit 1; }
asked=$(grep -hc '^  ([0-9]' "$dir"/job*.v | awk '{ n += $1 } END { print n }')
heard=$(awk -F'|' '{ n += $2 + $4 } END { print n }' "$dir/answers")
[ "$asked" = "$heard" ] || { echo "$asked questions, $heard answers"; exit 1; }
for kind in none unchecked; do
  n=$(cat "$dir"/written* | grep -c "^@$kind")
  [ "$n" = 0 ] || echo "$([ $kind = none ] && echo "no bound of this name" || echo "none of Coq's"): $n: $(cat "$dir"/written* | sed -n "s/^@$kind //p" | head -3 | tr '\n' ';')"
done
echo "$(cat "$dir"/job*.v | grep '^Module ' | sort -u | wc -l) theorems for numbers compiled whole, closed under the global context"
