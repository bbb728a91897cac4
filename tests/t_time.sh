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
seconds=$(tr -d ' ' < "$t/json" | grep -o '"seconds":[0-9]*' | cut -d: -f2 | head -4 | paste -sd' ')
ok "none, then V, K, and all of them under the computation" "$seconds" "496 464 432 400"
sed 's/bandwidth 1/bandwidth 0.1/' "$t/unit" > "$t/narrow"
rb time attention:n=8,d=2 attenio:a=6 --machine "$t/narrow" --json > "$t/json"
ok "bound by memory" "$(grep -c '"bound_by": *"memory"' "$t/json")" 1
near "a roof" "$(tr -d ' ' < "$t/json" | grep -o '"seconds":[0-9.]*' | cut -d: -f2 | sed -n 4p)" 960
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

# Turn by turn, by hand: n words come in and are summed.  A step holds its word and two sums; without room beside them a word comes
# when the step before is done, with room for one during it.  The sum is stored last.
turns() { rb time "$@" --json > "$t/json"; grep -o '"level": "turn by turn", "seconds": [0-9.e+-]*' "$t/json" | sed 's/.* //'; }
printf 'param n\ninput x[n]\ns[i:n] = s[i-1], x[i]\noutput s[n-1]\n' > "$t/sum.cdag"
printf 'for i in n {\n  load x[i]\n  compute s[i] dropping s\n  drop x[i]\n}\nstore s[n-1]\n' > "$t/sum.sched"
near "one after the other" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 3 --machine "$t/unit")" $((2*100 + 1))
near "the next word during a step" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 4 --machine "$t/unit")" $((1 + 100 + 1))
sed 's/bandwidth 1/bandwidth 0.5/' "$t/unit" > "$t/half"
near "a word takes two steps: none ahead" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 3 --machine "$t/half")" $((3*100 + 2))
near "and ahead" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 4 --machine "$t/half")" $((2*100 + 1 + 2))
# every result is stored: with room for one word either the next comes early or the last goes late, so the channel never rests
printf 'param n\ninput x[n]\noutput y[i:n] = x[i]\n' > "$t/copy.cdag"
printf 'for i in n {\n  load x[i]\n  compute y[i]\n  drop x[i]\n  store y[i]\n  drop y[i]\n}\n' > "$t/copy.sched"
near "in, made, out" "$(turns "$t/copy.cdag:n=100" "$t/copy.sched" -M 2 --machine "$t/unit")" $((3*100))
near "a store late" "$(turns "$t/copy.cdag:n=100" "$t/copy.sched" -M 3 --machine "$t/unit")" $((2*100))
printf 'param n\ninput x[1]\noutput y[i:n] = x[0]\n' > "$t/many.cdag"
printf 'load x[0]\nfor i in n {\n  compute y[i]\n  store y[i]\n  drop y[i]\n}\n' > "$t/many.sched"
near "a result waits for the store before it" "$(turns "$t/many.cdag:n=100" "$t/many.sched" -M 2 --machine "$t/unit")" $((1 + 2*100))
near "or goes on beside it" "$(turns "$t/many.cdag:n=100" "$t/many.sched" -M 3 --machine "$t/unit")" $((1 + 100 + 1))
# two words a step that takes four: neither, one or both of the next come during it
sed 's/multiply_adds 1/multiply_adds 0.25/' "$t/unit" > "$t/slow"
for room in 0 1 2; do
  near "room for $room" "$(turns dot:k=100 stream -M $((4 + room)) --machine "$t/slow")" $((2 + 4 + 99 * (6 - room) + 1))
done
# softmax by element follows the scores element by element; where each needs the last row's score it waits for all of them
for row in '' ',S[m-1,k-1]'; do
  printf 'param m k\ninput x[m,k]\nS[i:m, l:k] = S[i,l-1], x[i,l]\noutput P[i:m] = S[i,k-1]%s\n' "$row" > "$t/rows$row.cdag"
done
printf 'load x[*,*]\ncompute S[*,*] dropping x\ncompute P[*]\nstore P[*]\n' > "$t/rows.sched"
near "element by element" "$(turns "$t/rows.cdag:m=20,k=5" "$t/rows.sched" -M 900 --machine "$t/unit")" $((100 + 100 + 1 + 20))
near "row by row" "$(turns "$t/rows,S[m-1,k-1].cdag:m=20,k=5" "$t/rows.sched" -M 900 --machine "$t/unit")" $((100 + 100 + 20 + 20))
# never under what a unit or the channel needs, never over the sum of all three
for row in 'attention:n=300,d=8 attenio 200' 'attention:n=300,d=8 attenio 2000' 'attention:n=300,d=8 standard 500' 'attention-online:n=200,d=4 flash2 300' \
  'matmul:m=60,n=70,k=50 resident 200' 'attention-backward:n=100,d=4 two-pass 300'; do
  set -- $row
  for machine in unit half array; do
    got=$(turns "$1" "$2" -M "$3" --machine "$t/$machine")
    computing=$(number computing_seconds); moving=$(number moving_seconds); special=$(number special)
    ok "between: $row, $machine" "$(awk -v g="$got" -v c="$computing" -v m="$moving" -v s="$special" \
      'BEGIN { l = c - s; if (s > l) l = s; if (m > l) l = m; print (g >= l * (1 - 1e-9) && g <= (c + m) * (1 + 1e-9)) ? "yes" : g " not in " l " .. " c + m }')" yes
  done
done
# split memory: x has a buffer of its own
for words in 1 2 3; do sed "s/memory 40/memory 5\\nbuffer in $words x/" "$t/unit" > "$t/split$words"; done
near "a buffer for two words" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 5 --machine "$t/split2")" $((1 + 100 + 1))
ok "its room" "$(grep -o '"name": "in", "held": 1, "room": 1}, {"name": "the rest", "held": 1, "room": 2' "$t/json" | wc -l)" 1
near "and for one: none ahead, whatever else is free" "$(turns "$t/sum.cdag:n=100" "$t/sum.sched" -M 5 --machine "$t/split1")" $((2*100 + 1))
sed 's/memory 40/memory 5\nbuffer sums 1 x s/' "$t/unit" > "$t/tight"; rb time "$t/sum.cdag:n=100" "$t/sum.sched" --machine "$t/tight" > "$t/out"; ok "a buffer too small" $? 1
for line in 'buffer in 5 x' 'buffer in 2' 'buffer in 1.5 x' 'buffer in x' 'buffer a 1 x\nbuffer b 1 x'; do
  sed "s/memory 40/memory 5\\n$line/" "$t/unit" > "$t/damaged"; bad 3 "$line" rb time "$t/sum.cdag:n=9" "$t/sum.sched" --machine "$t/damaged"
done

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
