#!/bin/sh
# The verb optimal: exit codes, JSON fields, and that its moves are what verify calls legal and as cheap as it said.
: "${REDBLUE:?}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$2"; }

# io SPEC WANTED OPTIONS...: the optimum, and its moves verified under the same rules
io() {
  spec=$1 wanted=$2; shift 2
  "$REDBLUE" optimal "$spec" "$@" --json --moves "$dir/m" > "$dir/o" 2> "$dir/e" || { bad "optimal $spec $*: $(cat "$dir/e")"; return; }
  "$REDBLUE" verify "$spec" "$dir/m" "$@" --json > "$dir/v" 2>&1 || { bad "verify $spec $*"; return; }
  got="$(field io "$dir/o") $(field proved "$dir/o") $(field lower "$dir/o") $(field upper "$dir/o") $(field io "$dir/v")"
  if [ "$got" = "$wanted true $wanted $wanted $wanted" ]; then ok; else bad "optimal $spec $*: $got, wanted $wanted"; fi
}
# code WANTED OPTIONS...: the exit code
code() {
  wanted=$1; shift
  "$REDBLUE" optimal "$@" > "$dir/o" 2> "$dir/e"; got=$?
  if [ "$got" = "$wanted" ]; then ok; else bad "optimal $*: exit $got, wanted $wanted"; fi
}

io fft:l=2 14 -M 3
io fft:l=2 9 -M 5
io fft:l=2 8 -M 5 --rules sliding
io fft:l=2 10 -M 4 --rules partial
io grid:r=3,c=3 5 -M 3
io grid:r=3,c=3 6 -M 3 --one-shot
io matmul:m=2,n=2,k=2 17 -M 4
io tree:h=3 11 -M 4
printf '4 3\n0 1\n1 2\n' > "$dir/short.edges"
printf '4 2\n0 1\n2 3\n' > "$dir/two.edges"
io "$dir/two.edges" 4 -M 2
if [ -n "$REDBLUE_DAGS" ]; then
  io "$REDBLUE_DAGS/exp_N4_K2_nzP0d5.txt" 26 -M 3
  io "$REDBLUE_DAGS/exp_N4_K2_nzP0d5.txt" 26 -M 3 --one-shot
fi

code 1 grid:r=3,c=3 -M 2
grep -q 'take 3 red pebbles' "$dir/o" && ok || bad "no sentence for an impossible game"
code 1 grid:r=3,c=3 -M 2 --json
[ "$(field io "$dir/o") $(field needed "$dir/o")" = "null 3" ] && ok || bad "fields of an impossible game"
code 2 grid:r=3,c=3
code 2 grid:r=3 -M 3
code 2 grid:r=3,c=3 -M 3 --rules gliding
code 2 grid:r=3,c=3 -M 3 --limit-time soon
code 3 "$dir/none.edges" -M 3
code 3 "$dir/short.edges" -M 3
code 3 fft:l=2 -M 3 --moves "$dir/no/such/folder"
code 4 fft:l=4 -M 4 --limit-time 0.5 --json
[ "$(field io "$dir/o") $(field proved "$dir/o")" = "null false" ] && ok || bad "fields of an unfinished search"
[ "$(field lower "$dir/o")" -ge 32 ] && [ "$(field upper "$dir/o")" -gt "$(field lower "$dir/o")" ] && ok || bad "interval"
code 4 grid:r=13,c=10 -M 5 --limit-memory 1M --limit-time 1 # not even room for the first position: no proof
grep -q 'optimum *between' "$dir/o" && ok || bad "what is known without the room for more is said"
code 4 fft:l=4 -M 4 --limit-memory 2M --limit-time 4 --json --moves "$dir/m"
"$REDBLUE" verify fft:l=4 "$dir/m" -M 4 --json > "$dir/v"
[ "$(field io "$dir/v")" = "$(field upper "$dir/o")" ] && ok || bad "the moves of an unfinished search cost its upper end"

# the moves alone on standard output
"$REDBLUE" optimal grid:r=3,c=3 -M 3 --moves - | "$REDBLUE" verify grid:r=3,c=3 - -M 3 > "$dir/o" 2>&1 && ok || bad "moves printed: $(cat "$dir/o")"
"$REDBLUE" optimal grid:r=3,c=3 -M 2 --moves - > "$dir/o"
grep -q '^impossible' "$dir/o" && ok || bad "moves printed where there are none: $(cat "$dir/o")"

# why nothing costs less
for game in "" "--one-shot" "--rules sliding" "--rules partial"; do
  "$REDBLUE" optimal fft:l=2 -M 4 $game --certificate "$dir/c" > "$dir/o" && "$REDBLUE" check "$dir/c" > "$dir/v" && ok || bad "certificate $game: $(cat "$dir/v")"
done
for wide in "tree:h=6 -M 7 --one-shot" "grid:r=2,c=30 -M 3 --rules partial"; do # more than 64 vertices, or edges
  "$REDBLUE" optimal $wide --certificate "$dir/c" > "$dir/o" && "$REDBLUE" check "$dir/c" > "$dir/v" && ok || bad "certificate $wide: $(cat "$dir/v")"
done
code 3 fft:l=2 -M 4 --certificate "$dir/no/such/folder"
code 4 fft:l=4 -M 4 --limit-time 0.5 --certificate "$dir/none"
[ -e "$dir/none" ] && bad "a certificate of an unfinished search" || ok
"$REDBLUE" optimal fft:l=2 -M 4 --certificate - | "$REDBLUE" check - > "$dir/v" && ok || bad "certificate printed: $(cat "$dir/v")"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
