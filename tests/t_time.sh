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
# V comes after S is computed, K begins the iteration, Q and O are moved by the outer loop
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
for damage in 's/word 1/word 0/' 's/word 1/word x/' 's/word/wrod/' '/word/d' 's/special 1/special 1 2/' '1p' 's/^mul.*/array 2/' 's/^mul.*/array 2 1.5/' 's/^mul/array 2 2\nmul/'; do
  sed "$damage" "$t/unit" > "$t/damaged"
  bad 3 "$damage" rb time attention:n=8,d=2 attenio:a=6 --machine "$t/damaged"
done
bad 2 "no such machine" rb time attention:n=8,d=2 attenio:a=6 --machine attneio
ok "the nearest name" "$(grep -c "did you mean 'attenio'" "$t/why")" 1
sed /clock/d "$t/unit" > "$t/damaged"; bad 2 "a machine without a clock" rb time attention:n=8,d=2 attenio:a=6 --machine "$t/damaged"
ok "which is a memory all the same" "$(rb count attention:n=8,d=2 attenio --machine "$t/damaged" --json | grep -o '"memory": 40')" '"memory": 40'
ok "-M is stronger" "$(rb count attention:n=8,d=2 attenio --machine "$t/damaged" -M 20 --json | grep -o '"memory": 20')" '"memory": 20'
sed /special/d "$t/unit" > "$t/free"; rb time attention:n=8,d=2 attenio:a=6 --machine "$t/free" --json > "$t/json"
near "special functions without a rate cost nothing" "$(number computing_seconds)" $((2*8*8*2 + 8*8))
ok "and the assumption says so" "$(grep -c 'they cost nothing' "$t/json")" 1

# an array of 4 x 2 units: S[I,j,*] has 6 x 2 vertices, which 2 x 1 iterations cover; so has Z[I,*,j]; the last block has 2 rows
sed 's/^mul.*/array 4 2/' "$t/unit" > "$t/array"
rb time attention:n=8,d=2 attenio:a=6 --machine "$t/array" --json > "$t/json"
near "cycles of the array" "$(number computing_seconds)" "$(awk 'BEGIN { print 8 * (2 + 2) + 8 * (1 + 1) + 8 * 8 / 8 + 8 * 8 + 8 * 2 }')"
near "its share that works" "$(number array_filled)" "$(awk 'BEGIN { print 256 / (48 * 8) }')"
# played move by move by hand: the same schedule with every loop long enough to be summed
rb time attention:n=40,d=3 attenio:a=3 -M 100 --machine "$t/array" --json > "$t/json"
near "summed iterations" "$(number array_filled)" "$(awk 'BEGIN { for (i = 0; i < 40; i += 3) { r = i + 3 > 40 ? 40 - i : 3
  a = int((r + 3) / 4) * 2; b = int((r + 1) / 2); c += 80 * (a < b ? a : b) } print 2 * 40 * 40 * 3 / (c * 8) }')"
rb time attention-causal:n=40,d=3 attenio:a=3 -M 100 --machine "$t/array" > "$t/out"
ok "iterations that differ are not summed" "$(grep -c 'change from iteration to iteration' "$t/out")" 1
ok "machines have sources" "$(rb machines | grep -c '^  source: ..')" "$(rb machines | grep -c ' words of ')"
ok "a preset's text reads back" "$(rb machines attenio > "$t/copy"; rb time attention:n=64,d=8 attenio --machine "$t/copy" --json | sed 's/"machine": "[^"]*"//')" \
   "$(rb time attention:n=64,d=8 attenio --json | sed 's/"machine": "[^"]*"//')"

# AttenIO's figure: geometric means over n = 8K .. 128K, the others without overlap, AttenIO with all of it; within 25 % of the paper
seconds() { rb time attention:n=$1,d=$2 $3 --json | tr -d ' ' | grep -o '"seconds":[0-9.e-]*' | cut -d: -f2 | sed -n "${4}p"; }
for row in '64 flat 8.8' '64 standard 2.5' '64 flash2 1.6' '128 flat 9.9' '128 standard 1.9' '128 flash2 1.3'; do
  set -- $row
  mean=$(for n in 8K 16K 32K 64K 128K; do echo "$(seconds $n $1 $2 1) $(seconds $n $1 attenio 4)"; done | awk '{ s += log($1 / $2) } END { print exp(s / NR) }')
  ok "speedup over $2 at d = $1: $mean of $3" "$(awk -v a="$mean" -v b="$3" 'BEGIN { print (a > 0.75 * b && a < 1.25 * b) ? "near" : "far" }')" near
done
rm -rf "$t"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
