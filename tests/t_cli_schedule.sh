#!/bin/sh
# The verb schedule: exit codes, JSON fields, and that its moves are what verify calls legal and as cheap as it said.
: "${REDBLUE:?}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
field() { grep -o "\"$1\": [^,}]*" "$2" | head -n 1 | sed 's/.*: //'; }

# agree SPEC OPTIONS...: verify finds the moves legal, with the same counts
agree() {
  spec=$1; shift
  "$REDBLUE" schedule "$spec" "$@" --limit-time 0.3 --json --moves "$dir/m" > "$dir/o" 2> "$dir/e" || { bad "schedule $spec $*: $(cat "$dir/e")"; return; }
  "$REDBLUE" verify "$spec" "$dir/m" "$@" --json > "$dir/v" 2>&1 || { bad "verify $spec $*: $(cat "$dir/v")"; return; }
  for f in legal io loads stores peak computes; do
    [ "$(field $f "$dir/o")" = "$(field $f "$dir/v")" ] || { bad "schedule $spec $*: $f $(field $f "$dir/o"), verify says $(field $f "$dir/v")"; return; }
  done
  ok
}
# code WANTED OPTIONS...: the exit code
code() {
  wanted=$1; shift
  "$REDBLUE" schedule "$@" > "$dir/o" 2> "$dir/e"; got=$?
  if [ "$got" = "$wanted" ]; then ok; else bad "schedule $*: exit $got, wanted $wanted"; fi
}

printf 'digraph { a -> c; b -> c; c -> "d e"; a -> "d e" }\n' > "$dir/g.dot"
for rules in placing sliding partial; do
  agree fft:l=4 -M 4 --rules $rules
  agree "$dir/g.dot" -M 3 --rules $rules
  agree matmul:m=3,n=3,k=3 -M 6 --rules $rules --one-shot
  agree random:n=200,seed=3,degree=3 -M 5 --rules $rules
done
agree attention:n=3,d=2 -M 9
agree cholesky:n=4 -M 6 --one-shot
if [ -n "$REDBLUE_DAGS" ]; then
  for f in "$REDBLUE_DAGS"/*.txt; do agree "$f" -M 40; done
fi

code 0 fft:l=3 -M 1K
code 0 fft:l=3 --memory 8KiB --word 2
code 1 fft:l=3 -M 2
code 1 fft:l=3 -M 2 --json
[ "$(field legal "$dir/o") $(field needed "$dir/o") $(field io "$dir/o") $(field order "$dir/o")" = "false 3 null null" ] && ok || bad "what M = 2 answers: $(cat "$dir/o")"
code 1 fft:l=3 -M 1 --rules sliding
code 2 fft:l=3
code 2 fft:l=3 -M x
code 2 fft:l=3 -M 4 --rules other
code 2 fft:l=3 -M 4 --seed x
code 2 nosuchfamily:n=3 -M 4
code 3 "$dir/none.dot" -M 4
code 3 fft:l=3 -M 1K --moves "$dir/none/m"
printf '3 2\n0 1\n' > "$dir/cut.edges"
code 3 "$dir/cut.edges" -M 4

# the same seed, the same moves (when time does not cut the search short); stdout
"$REDBLUE" schedule random:n=10,seed=1,degree=2 -M 3 --seed 7 --moves "$dir/a" > "$dir/o"
"$REDBLUE" schedule random:n=10,seed=1,degree=2 -M 3 --seed 7 --moves "$dir/b" > "$dir/p"
cmp -s "$dir/a" "$dir/b" && cmp -s "$dir/o" "$dir/p" && ok || bad "the same seed gave different moves"

# the moves alone on standard output
"$REDBLUE" schedule fft:l=3 -M 8 --limit-time 0.3 --moves - --json | "$REDBLUE" verify fft:l=3 - -M 8 > "$dir/o" 2>&1 && ok || bad "moves printed: $(cat "$dir/o")"
"$REDBLUE" schedule fft:l=3 -M 2 --moves - > "$dir/o"
grep -q '^impossible' "$dir/o" && ok || bad "moves printed where there are none: $(cat "$dir/o")"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
