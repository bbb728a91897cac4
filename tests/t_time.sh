#!/bin/sh
# Time: operations and words over rates, worked out by hand here; the overlaps of AttenIO's dataflow; machine files and their mistakes.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
rb() { "$REDBLUE" "$@"; }
number() { tr -d ' ' < "$t/json" | sed "s/.*\"$1\":\([0-9.e+-]*\).*/\1/"; }
near() { ok "$1" "$(awk -v a="$2" -v b="$3" 'BEGIN { print (a - b) ^ 2 <= 1e-12 * b ^ 2 ? "near" : a }')" near; }

printf 'multiply_adds 1 # a cycle\nspecial 1\nclock 1\nbandwidth 1\nword 1\nmemory 40\n' > "$t/unit"
rb time attention:n=8,d=2 attenio:a=6 --machine "$t/unit" --json > "$t/json"; ok "a machine of ones" $? 0
# S and Z have n n d vertices each, L has n n: chains.  P has n n, O has n d: special.
ok "multiply-adds" "$(number multiply_adds)" $((2*8*8*2 + 8*8))
ok "special" "$(number special)" $((8*8 + 8*2))
# Q and O once, K and V once for each of the two blocks
ok "words" "$(number io)" $((2*8*2 + 2*2*8*2))
near "computing" "$(number computing_seconds)" $((2*8*8*2 + 8*8 + 8*8 + 8*2))
near "moving" "$(number moving_seconds)" $((2*8*2 + 2*2*8*2))
# V comes after S is computed, K begins the turn, Q and O are moved by the outer loop
hidden=$(tr -d ' ' < "$t/json" | grep -o '"hidden_words":[0-9]*' | cut -d: -f2 | paste -sd' ')
ok "hidden words" "$hidden" "0 32 64 96"
seconds=$(tr -d ' ' < "$t/json" | grep -o '"seconds":[0-9]*' | cut -d: -f2 | paste -sd' ')
ok "none, then V, K, and all of them under the computation" "$seconds" "496 464 432 400"
sed 's/bandwidth 1/bandwidth 0.1/' "$t/unit" > "$t/narrow"
rb time attention:n=8,d=2 attenio:a=6 --machine "$t/narrow" --json > "$t/json"
ok "bound by memory" "$(grep -c '"bound_by": *"memory"' "$t/json")" 1
near "a roof" "$(tr -d ' ' < "$t/json" | grep -o '"seconds":[0-9.]*' | cut -d: -f2 | tail -1)" 960
rb time attention:n=8,d=2 attenio:a=6 -M 10 --machine "$t/unit" > "$t/out"; ok "does not fit" $? 1
ok "and says so" "$(grep -c 'cannot run' "$t/out")" 1
rb time attention:n=8192,d=64 attenio > "$t/out"; ok "the preset" $? 0
ok "compute-bound there" "$(grep -c '^bound by    compute' "$t/out")" 1
rb time attention:n=8,d=2,dv=8 sliced:s=2,a=3 --machine "$t/unit" --json > "$t/json"
ok "recomputed: S and P three times more" "$(number recomputed)" $((3*(8*8*2 + 8*8)))

bad() { want=$1; what=$2; shift 2; "$@" > "$t/out" 2> "$t/why"; ok "exit: $what" $? "$want"; ok "a sentence: $what" "$(grep -c '^redblue: ' "$t/why")" 1; }
for damage in 's/word 1/word 0/' 's/word 1/word x/' 's/word/wrod/' '/clock/d' 's/special 1/special 1 2/' '1p'; do
  sed "$damage" "$t/unit" > "$t/damaged"
  bad 3 "$damage" rb time attention:n=8,d=2 attenio:a=6 --machine "$t/damaged"
done
bad 3 "no such machine" rb time attention:n=8,d=2 attenio:a=6 --machine "$t/none"
rm -rf "$t"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
