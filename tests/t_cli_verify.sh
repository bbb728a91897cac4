#!/bin/sh
# The verbs verify, moves and schedules: exit codes, the fields of the JSON object, every rule in its words, lists from stdin.
: "${REDBLUE:?}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
# all: a line NAME=VALUE for each name in the object in o, its first field, strings with their quotes; made when it is first asked for, by one process
fields() {
  [ -z "$all" ] || return 0
  all="
$(awk '{ s = s $0 }
    END {
      sub(/"arrays": \[[^]]*\],/, "", s)
      parts = split(s, part, "{")
      for (i = 1; i <= parts; i++) {
        split("", here)
        while (match(part[i], /"[A-Za-z_-]+": ("[^"]*"|[^,}]*)/)) {
          field = substr(part[i], RSTART + 1, RLENGTH - 1); part[i] = substr(part[i], RSTART + RLENGTH)
          name = field; sub(/".*/, "", name); here[name] = substr(field, length(name) + 4)
        }
        for (name in here) if (!(name in had)) { had[name]; print name "=" here[name] }
      }
    }' o)
"
}
# first NAME: the first field of that name
first() {
  fields; value=${all#*"
$1="}
  [ "$value" = "$all" ] || printf '%s\n' "${value%%"
"*}"
}
# code WANTED ARGS...: exit code of redblue ARGS; stdout in o, stderr in e, stdin from i
: > i
code() {
  wanted=$1 all=; shift
  "$REDBLUE" "$@" > o 2> e < i; got=$?
  if [ "$got" = "$wanted" ]; then ok; else bad "redblue $*: exit $got, wanted $wanted: $(head -c 300 e)"; fi
}
is() {
  fields
  case $all in
  *"
$1=$2
"*) ok ;;
  *) bad "field $1 is $(first "$1"), wanted $2: $(head -c 600 o)" ;;
  esac
}

# ---- attention by hand, on every engine ----
for engine in element tile both; do
  for row in "10 288 9" "20 160 15" "23 128 21" "40 96 39" "100 64 51"; do
    set -- $row
    code 0 verify attention:n=8,d=2 attenio -M "$1" --engine $engine --json
    is legal true; is io "$2"; is peak "$3"; is computes 400; is error null
    is engine "\"$engine\""
  done
done
code 0 verify attention:n=8,d=2 attention.attenio -M 20 --json; is io 160
code 0 verify attention:n=8,d=2 attenio:a=1 -M 20 --json; is io 288

# ---- a text for another family: played if its names are there; else the message says what it is for ----
says() { if grep -q -- "$1" e; then ok; else bad "no '$1' in: $(head -c 300 e)"; fi; }
printf 'schedule mine for matmul\nparam a = 1\nload Q[0,*]\n' > other.sched; code 1 verify attention:n=8,d=2 other.sched -M 20
printf 'schedule mine for matmul\nparam a = 1\nload R[0,*]\n' > other.sched; code 3 verify attention:n=8,d=2 other.sched -M 20; says 'this schedule is for matmul, not for attention'
printf 'schedule mine for matmul\nparam a = 1\nload Q[0]\n' > other.sched; code 3 verify attention:n=8,d=2 other.sched -M 20; says 'Q has 2 indices, not 1 (this schedule is for matmul'
printf 'schedule mine for matmul\nparam a = 1\nload Q[0\n' > other.sched; code 3 verify attention:n=8,d=2 other.sched -M 20
if grep -q matmul e; then bad "a text that is no text is not of another family: $(head -c 300 e)"; else ok; fi
printf 'schedule mine for attention\nparam a = 1\nload R[0,*]\n' > other.sched; code 3 verify attention:n=8,d=2 other.sched -M 20
if grep -q 'this schedule' e; then bad "it is for attention: $(head -c 300 e)"; else ok; fi
code 0 verify attention:n=8,d=2 attenio -M 20 -p a=1 --json; is io 288
code 0 verify attention:n=8,d=2 attenio --memory 40B --word 2 --json; is io 160
code 0 verify attention:n=8,d=2 attenio -M 20 --within 3
code 1 verify attention:n=8,d=2 attenio -M 20 --within 1.1
code 2 verify attention:n=8,d=2 attenio -M 20 --within x

# ---- every rule ----
cat > g.cdag <<'C'
param n = 3
input A[n]
C[i:n] = A[i], A[i-1]
output D[i:n] = D[i-1], C[i]
C
# rule NAME LINE COLUMN ELEMENT MISSING M TEXT OPTIONS...
rule() {
  name=$1 line=$2 column=$3 element=$4 missing=$5 m=$6; printf "$7" > s.sched; shift 7
  for engine in element tile; do
    case "$*" in *partial*) [ $engine = tile ] && continue ;; esac
    code 1 verify g.cdag s.sched -M "$m" --engine $engine --json "$@"
    is legal false; is rule "\"$name\""; is line "$line"; is column "$column"; is element "$element"; is missing "$missing"; is file '"s.sched"'
  done
}
rule 'already red' 1 22 '"A[0]"' null 9 'load A[0..2]    load A[0]\n'
rule 'not blue' 1 6 '"C[1]"' null 9 'load C[1]\n'
rule 'memory' 1 6 '"A[2]"' null 2 'load A[*]\n'
rule 'not red' 1 7 '"A[0]"' null 9 'store A[0]\n'
rule 'already blue' 2 7 '"A[1]"' null 9 'load A[1]\nstore A[1]\n'
rule 'not red' 2 12 '"A[1]"' null 9 'load A[0]\ndrop A[0], A[1]\n' # the column of the box
rule 'not blue' 1 18 '"A[0]"' null 9 'erase A[0] erase A[0]\n'
rule 'input' 1 9 '"A[0]"' null 9 'compute A[0]\n'
rule 'already red' 3 9 '"C[0]"' null 9 'load A[*]\ncompute C[*]\ncompute C[0]\n'
rule 'recompute' 3 19 '"C[0]"' null 9 'load A[*]\ncompute C[*]\ndrop C[0] compute C[0]\n' --one-shot
rule 'predecessor' 2 9 '"C[2]"' '"A[2]"' 9 'load A[0..2]\ncompute C[*]\n'
rule 'predecessor' 2 9 '"C[1]"' '"A[0]"' 9 'load A[*]\ncompute C[*] dropping A\n'
rule 'output' null null '"D[0]"' null 9 'load A[*]\n'
rule 'predecessor' 2 22 '"C[2]"' '"A[2]"' 9 'load A[1]\ncompute C[2] compute C[2]\n' --rules partial
printf 'param b = M - 5\nfor I in n by b {\n load A[I]\n}\n' > s.sched
code 1 verify g.cdag s.sched -M 5 --json; is rule '"value"'; is line 2; is column 15; is element null; is legal false
printf 'for I in n by 2 {\n for j in I {\n  load A[j], A[j]\n}}\n' > s.sched
code 1 verify g.cdag s.sched -M 5 --json; is loops '"I=0..2, j=0"'; is line 3; is column 14; is loads 1; is peak 1

# ---- how much memory would do ----
printf 'load A[*]\ncompute C[*]\ncompute D[*] store D[*]\n' > s.sched
for list in s.sched - t.sched; do
  cp s.sched i; { echo 'param z = 1'; cat s.sched; } > t.sched
  code 1 verify g.cdag $list -M 5 --json; is smallest_memory 9; is needed 6; is memory 5; is rule '"memory"'
  code 1 verify g.cdag $list -M 0 --json; is smallest_memory 9; is needed 1
  code 0 verify g.cdag $list -M 9 --json; is smallest_memory null; is io 6; is peak 9
  code 0 verify g.cdag $list -M 9223372036854775807 --json; is io 6
done
code 2 verify g.cdag s.sched -M 9223372036854775808 --json
code 2 verify g.cdag s.sched -M -1
code 2 verify g.cdag s.sched

# ---- bad text, bad usage ----
printf 'load A[0]\nload A[0]\nlod A[1]\n' > s.sched
for list in s.sched -; do
  cp s.sched i
  code 3 verify g.cdag $list -M 9 --json; is kind '"syntax"'; is line 3; is column 1
done
printf 'param a = 1/0\nload A[a]\n' > s.sched
code 3 verify g.cdag s.sched -M 9 --json; is kind '"value"'
code 3 verify g.cdag nothere.sched -M 9 --json; is kind '"file"'
code 2 verify attention:n=8,d=2 atenio -M 9 --json; is kind '"usage"'
grep -q "did you mean 'attenio'" e && ok || bad "no suggestion: $(cat e)"
code 2 verify attention:n=8,d=2 attenio -M 9 -p b=3 --json; is kind '"parameter"'
code 2 verify attention:n=8,d=2 attenio -M 9 -p b; code 2 verify attention:n=8,d=2 attenio -M 9 --rules swimming
code 2 verify attention:n=8,d=2 attenio -M 9 --engine steam
printf 'param a\nload A[a]\n' > s.sched
code 2 verify g.cdag s.sched -M 9 --json; is kind '"parameter"'
printf 'load A[1]\n' > s.sched
code 2 verify g.cdag s.sched -M 9 -p a=1 --json; is kind '"parameter"'

# ---- lists and graphs ----
printf '4 3\n0 1\n1 2\n2 3\n' > g.edges
printf 'load v[0]\ncompute v[1] dropping v[0]\ncompute v[2] dropping v[1]\r\n# then\n\ncompute v[3] dropping v[2]\nstore v[3]' > i
code 0 verify g.edges - -M 2 --json; is io 2; is peak 2; is engine '"element"'
code 0 verify g.edges - -M 1 --rules sliding --json; is io 2; is peak 1
code 1 verify g.edges - -M 1 --json; is needed 2; is smallest_memory 2; is line 2; is column 9
code 2 verify g.edges - -M 2 --engine tile
code 2 verify - - -M 2
cp g.edges i; printf 'load v[0]\n' > s.sched; code 1 verify - s.sched -M 2 --json; is rule '"output"'

# ---- an index that mixes a table and a loop: iterations are inferred only while the table's own index stays ----
printf 'param n = 4000, w = 3\ntable t[i:n] = i + 3 * (i == 3000)\ninput A[n+w+8]\nC[i:n, j:w] = A[t[i]+j]\noutput C[*,*]\n' > mixed.cdag
printf 'for i in n {\n  load A[i..i+w]\n  for j in w {\n    compute C[i,j]\n    store C[i,j]\n    drop C[i,j]\n  }\n  drop A[i..i+w]\n}\n' > s.sched
for engine in element tile; do
  code 1 verify mixed.cdag s.sched -M 20 --engine $engine --json; is rule '"predecessor"'; is element '"C[3000,0]"'
  code 0 verify mixed.cdag:n=5,w=900 s.sched -M 1000 --engine $engine --json; is io 9000; is peak 901
done
[ "$(first inferred)" -gt 3500 ] && ok || bad "iterations inferred: $(cat o)"

# ---- moves: a schedule again, with the same verdict ----
for game in placing sliding; do
  for spec in "attention:n=3,d=2 attenio 14" "matmul:m=2,n=2,k=3 naive 4" "attention-causal:n=3,d=2 attenio 14"; do
    set -- $spec
    code 0 verify "$1" "$2" -M "$3" --rules $game --json; io=$(first io) peak=$(first peak) computes=$(first computes)
    code 0 moves "$1" "$2" -M "$3"; cp o i
    code 0 verify "$1" - -M "$3" --rules $game --json; is io "$io"; is peak "$peak"; is computes "$computes"
  done
done
printf 'for i in n { load A[1/(1-i)] }\n' > s.sched
code 1 moves g.cdag s.sched -M 3; [ "$(cat o)" = 'load A[1]' ] && ok || bad "moves before a bad value: $(cat o)"
code 1 moves g.cdag s.sched -M 3 --json; is kind '"value"'; is moves '["load A[1]"]'
code 0 moves matmul:m=1,n=1,k=1 naive -M 4 --json
version=$("$REDBLUE" --version | sed "s/redblue //")
[ "$(cat o)" = '{"moves": ["load A[0,0]", "load B[0,0]", "compute C[0,0,0]", "drop A[0,0]", "drop B[0,0]", "store C[0,0,0]", "drop C[0,0,0]"], "error": null, "computation": "matmul:m=1,n=1,k=1", "schedule": "naive", "M": 4, "version": "'$version'", "schema": 1}' ] && ok || bad "moves --json: $(cat o)"

# ---- moves in bytes: the same list, the same verdict, and no other ----
spec=attention:n=3,d=2
code 0 moves $spec attenio -M 14; cp o list
code 0 moves $spec ./list -M 14 --format compact -o bytes; [ -s o ] && bad "moves -o prints: $(cat o)" || ok
[ $(($(wc -c < bytes) * 2)) -lt "$(wc -c < list)" ] && ok || bad "bytes are $(wc -c < bytes) of $(wc -c < list)"
code 0 moves $spec bytes -M 14; cmp -s o list && ok || bad "there and back: $(cat o)"
"$REDBLUE" moves $spec attenio -M 14 --format compact | cmp -s - bytes && ok || bad "bytes in a pipe"
for m in 14 4; do
  want=$((m < 14)); code $want verify $spec list -M $m --json; sed 's/"list"/"bytes"/g' o > said
  code $want verify $spec bytes -M $m --json; cmp -s o said && ok || bad "verify: $(cat said) $(cat o)"
done
code 0 count $spec list -M 14 --json; io=$(first io); code 0 count $spec bytes -M 14 --json; is io "$io"
code 0 moves $spec attenio -M 14 --format compact -o again --json; is moves "$(wc -l < list)"; is bytes "$(wc -c < bytes)"
cp bytes i; code 0 verify $spec - -M 14
head -c 100 bytes > cut; code 3 verify $spec cut -M 14 --json; is kind '"format"'; grep -q 'at byte 100: ' o && ok || bad "cut off: $(cat o)"
{ head -c 60 bytes; printf '\377'; tail -c +62 bytes; } > cut
for verb in verify moves count; do code 3 $verb $spec cut -M 14; grep -q 'at byte 20: ' e && ok || bad "damaged, $verb: $(cat e)"; done
code 3 moves $spec cut -M 14 -o never; [ -e never ] && bad "a file of a damaged list" || ok
code 3 verify matvec:m=2,n=2 bytes -M 14; says "matvec has no array 'Q' with 2 indices"
code 3 verify $spec bytes -M 14 --engine both; says 'redblue moves'
code 2 moves $spec attenio -M 14 --format compact --json; says 'give -o FILE'
code 2 moves $spec attenio -M 14 --format bytes; says "--format is text or compact, not 'bytes'"

# ---- a triangle that is one row here: its length is no number for other parameters ----
printf 'param n\ninput A[i:1, j:n-i]\noutput B[i:1] = A[i,*]\n' > row.cdag
printf 'param a = 1\nload A[*,*]\ncompute B[0]\nstore B[0]\n' > row.sched
code 1 count row.cdag:n=4 row.sched -M 9 --formula; says 'array A is not rectangular'

# ---- schedules ----
code 0 schedules; grep -q '^attention$' o && grep -q 'attenio ' o && ok || bad "schedules: $(cat o)"
code 0 schedules attention --json; grep -q '"name": "attenio", "family": "attention"' o && ok || bad "schedules --json: $(cat o)"
code 0 schedules hypercube; [ -s o ] && bad "there is no schedule for hypercube: $(cat o)" || ok
code 2 schedules atention; says "did you mean 'attention'?"
code 2 schedules nosuch --json; is kind '"parameter"'

# ---- a schedule that no setting makes legal is answered no, and by verify with the reason ----
code 1 tune attention:n=8,d=2 attenio -M 6 --json; is params null; is io null; is peak null; is exact true; is searched "$(first searched)"
code 1 tune attention:n=8,d=2 attenio -M 6; grep -q '^impossible' o && ok || bad "tune: $(cat o)"
code 1 verify attention:n=8,d=2 attenio -p a=auto -M 6 --json; is a 1; is rule '"memory"'; says 'no setting of the parameters is legal with M = 6'
printf 'param a\nfor I in n by a { load Q[I,*] compute O[I,*] }\n' > never.sched
code 1 tune attention:n=8,d=2 never.sched -M 100
code 1 verify attention:n=8,d=2 never.sched:a=auto -M 100 --json; is rule '"predecessor"'
code 0 count attention:n=8,d=2 attenio -p a=auto -M 3 --json; is fits false; is a 1

# ---- dropping what the rule does not read: a mistake with its place, in programs and in lists ----
printf 'param n = 2\ninput x[n], y[n]\ns[i:n] = s[i-1], x[i]\noutput s[n-1]\noutput z[1] = y[0]\n' > two.cdag
printf 'load x[0]\ncompute s[0] dropping x[0]\nload x[1]\ncompute s[1] dropping s[0],\n  y[0]\n' > i; cp i two.sched
for from in - ./two.sched; do
  code 3 verify ./two.cdag $from -M 5 --json; is kind '"name"'; is line 5; is column 3
done
{ printf 'load x[0]\ncompute s[0] dropping x[0]\nload x[1]\ncompute s[1] dropping y[0]\n'; yes 'store s[1]' | head -20; } > i
code 3 verify ./two.cdag - -M 5 --json; is kind '"name"'; is line 4; is column 23 # in lines that are read at once, too
printf 'for j in n { load x[j] compute s[j] dropping s, x, y }\n' > i; code 3 verify ./two.cdag - -M 5 --json; is kind '"name"'; is column 52
printf 'load x[*], y[0]\ncompute s[*], z[0] dropping x, s, y\nstore s[1], z[0]\n' > i; code 0 verify ./two.cdag - -M 5 --json; is legal true
: > i
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
