#!/bin/sh
# Computations as people write them, tests/nests/NAME.WAY.c and .cdag: each is read. What has one NAME is one computation, so the bound is the same, but for a word
# where it is rounded in another order, and the referee plays a play of it to its end. The second line of a file says small sizes, the first those of `make nests`.
# Bounds and plays of one of EVERY names are looked at, and of the others one of READ is read: all of them with ROUNDS=EVERY.
# Under sanitizers two thirds of those bounds, half of what is read, and no plays at size: t_tiler_nests and t_bound_spellings go the same ways there.
passed=0; failed=0; m=14; EVERY=32 READ=6
[ -z "$SANITIZED" ] || EVERY=48 READ=12
bad() { failed=$((failed + 1)); echo "FAILED $1"; }
t=$(mktemp -d)
for f in tests/nests/*.c tests/nests/*.cdag; do echo "$f"; done | LC_ALL=C sort > "$t/all"
[ "$(wc -l < "$t/all")" -gt 100 ] || bad "the nests are not there"
last=; k=0
while read -r f; do
  base=${f##*/} name=${f##*/} spec=$f:$(sed -n '2s/^[/#]* small //p' "$f"); name=${name%%.*}
  [ "$name" = "$last" ] || { k=$((k + 1)); one=; of=$base; last=$name; }
  if [ $((k % EVERY)) -ge "${ROUNDS:-1}" ]; then
    [ $((k % READ)) -lt "${ROUNDS:-1}" ] || continue
    if "$REDBLUE" cdag "$spec" > "$t/out" 2>&1; then passed=$((passed + 1)); else bad "$base: $(head -c 300 "$t/out")"; fi
    continue
  fi
  "$REDBLUE" bound "$spec" -M $m --json --one-shot > "$t/out" 2>&1
  a=$(sed -n 's/.*"best": {"name": "[^"]*", "value": \([0-9]*\).*/\1/p' "$t/out")
  [ -n "$a" ] || { bad "$base: $(head -c 300 "$t/out")"; continue; }
  one=${one:-$a}
  if [ "$a" -ge $((one - 1)) ] && [ "$a" -le $((one + 1)) ]; then passed=$((passed + 1)); else bad "$base: the bound is $a, that of $of $one"; fi
  if grep -q '"io": [0-9].*"played": true' "$t/out"; then passed=$((passed + 1)); else bad "$base: no play"; fi
done < "$t/all"
# moves NAME SPEC M WORDS: what the best play moves at most
moves() {
  io=$("$REDBLUE" bound "tests/nests/$2" -M "$3" --json --one-shot | sed -n 's/.*"io": \([0-9]*\).*/\1/p')
  if [ "${io:-999999}" -le "$4" ]; then passed=$((passed + 1)); else bad "$1: the best play moves $io words, more than $4"; fi
}
if [ -z "$SANITIZED" ]; then
  moves "sums of different lengths go by blocks" fir.sum.cdag:n=2000,k=16 102 4500
  moves "a sum that counts down goes by tiles" gemm-first.pointers.c:m=60,n=60,k=60 100 56000
  moves "a maximum over 2 x 2 is made in the tiles of what it reads" conv-pooled.sum.cdag:c=4,f=8,n=16 300 20000
  moves "outputs go along with the states through time" ssm-dense.plain.cdag:T=40,n=8,p=4 150 448
  moves "the best of all cells goes along with them" smith-waterman.plain.c:n=40,m=40 150 1681
  moves "a sweep whose indices go down" seidel-2d.down.c:tsteps=12,n=60 300 18300
  moves "tiles whose steps go down" floyd-down.plain.c:n=40 100 31600
  moves "of a matrix that each step reads some rows stay" elman.rules.cdag:T=20,H=16,I=8 200 4576
  moves "two statements read the end of one sum" attention-sinks.plain.c:T=100,D=4,W=12 200 3500
  moves "queries, keys, values and results are stored" mha-projected.sum.cdag:n=64,h=2,d=8 200 27648
  moves "levels are made of sums over windows" stencil-9.plain.c:n=40,T=6 200 7380
  moves "a scattered sum is read by its places" conv-transposed-4.plain.c:C=4,F=4,H=8,W=8 200 18192
  moves "words of a border through time are swept along" jacobi-2d-neumann.plain.c:T=20,n=60 300 41200
  moves "levels that become shorter go by blocks" lattice.plain.cdag:n=300 60 1900
  moves "a circle's first level is an array of its own" jacobi-1d-periodic.halo.c:T=40,n=200 420 600
  moves "of the last row the output alone is stored" edit-distance-rows.plain.c:n=40,m=60 90 101
  moves "of a square that needs one triangle the triangle goes by tiles" cholesky-square.plain.cdag:n=60 100 11500
  moves "of sums over a square those that are put out" syrk-square.plain.cdag:m=40,n=50 100 15500
  moves "inputs that are the first version of what is computed" lu-inputs.plain.cdag:n=60 100 22500
  moves "a condition that a sum reads goes in step with it" kmeans-argmin.plain.c:N=60,K=8,D=4 60 332
  moves "what a step leaves as it is may be said by guards" floyd-guards.rules.cdag:n=16 60 3300
  moves "a closure that fits is one tile" floyd-next.plain.c:n=10 400 400
  moves "a box that is within another comes once on the diagonal" ldl.right.c:n=40 60 6300
  moves "predecessors go along with the paths" floyd-next.plain.c:n=14 60 4700
  moves "what a running maximum was stays for one step" attention-mqa.plain.c:H=2,N=48,D=8 300 4700
fi
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
