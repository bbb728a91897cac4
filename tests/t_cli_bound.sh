#!/bin/sh
# The verbs bound, bounds and check: what they print, their JSON, their exit codes.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }
is() { [ "$2" = "$3" ] && ok || bad "$1: '$2', not '$3'"; }        # what, got, wanted
code() { what=$1 want=$2; shift 2; "$@" > "$dir/out" 2> "$dir/err" < /dev/null; is "$what: exit" $? "$want"; }
has() { grep -q -- "$2" "$dir/out" && ok || bad "$1: no '$2' in $(head -c 300 "$dir/out")"; }
hasnt() { grep -q -- "$2" "$dir/out" && bad "$1: '$2' is there" || ok; }

code "attention" 0 "$REDBLUE" bound attention:n=131072,d=128 -M 256K --json
has "the figure's case" '"best": {"name": "attention-segment", "value": 4295229440, "trust": "proved"}'
has "a schedule beside it" '"name": "attenio", "io": 4395630592'
has "the best of them" '"name": "row-by-row", "io": 4362076160'
has "the gap" '"gap": 1.0155'
code "text" 0 "$REDBLUE" bound attention:n=131072,d=128 -M 256K
has "text" 'best bound 4295229440 (attention-segment, proved)'
code "memory in bytes" 0 "$REDBLUE" bound matmul:m=8,n=8,k=8 --memory 64B --word 2
has "memory in bytes" 'M = 32'
code "memory as large as numbers are" 0 timeout 20 "$REDBLUE" bound matmul:m=4,n=4,k=4 -M 4611686018427387904
has "memory as large as numbers are" 'best bound 48 '

# games: one-shot bounds do not count where recomputation is allowed
code "grid" 0 "$REDBLUE" bound grid:r=6,c=6 -M 3 --json
has "grid" '"best": {"name": "pyramids", "value": 6, "trust": "proved"'
code "grid, one-shot" 0 "$REDBLUE" bound grid:r=6,c=6 -M 3 --one-shot --json
has "grid, one-shot" '{"name": "crossings-one-shot", "value": 17'
has "grid in one piece" '"best": {"name": "pieces", "value": 38'
code "pyramid" 0 "$REDBLUE" bound pyramid:h=6 -M 4 --json
has "pyramid" '"best": {"name": "crossings", "value": 15, "trust": "proved"' # 12 loads, 2 stores and the output's
code "sliding" 0 "$REDBLUE" bound matmul:m=8,n=8,k=8 -M 12 --rules sliding --json
has "sliding" '"best": {"name": "product-segment"'
code "partial" 0 "$REDBLUE" bound matmul:m=8,n=8,k=8 -M 12 --rules partial --json
hasnt "partial" '"best": {"name": "product-segment"'

# refuted: COSMA's bound for small k; what is proved stays below the plays that beat it
code "cosma" 0 "$REDBLUE" bound matmul:m=400,n=400,k=4 -M 64 --json
best=$(sed 's/.*"best": {"name": "[^"]*", "value": \([0-9]*\).*/\1/' "$dir/out")
[ "$best" -le 207888 ] && ok || bad "cosma: $best is above a play"

# proofs
code "proof" 0 "$REDBLUE" bound attention:n=1024,d=64 -M 32K --proof
has "proof" 'Every play of attention:n=1024,d=64 with M = 32768 red pebbles'
has "proof" 'there are at least'
code "latex" 0 "$REDBLUE" bound matmul:m=64,n=64,k=64 -M 256 --proof --latex
has "latex" 'begin{proof}'
has "latex" '\\le'
[ "$(tr -cd '{' < "$dir/out" | wc -c)" = "$(tr -cd '}' < "$dir/out" | wc -c)" ] && ok || bad "latex: braces do not match"
[ $(( $(tr -cd '$' < "$dir/out" | wc -c) % 2 )) = 0 ] && ok || bad "latex: dollars do not match"

# two statements with a bound of one name: asked for by it, the larger is certified
code "a name used twice" 0 "$REDBLUE" bound attention-backward:n=8,d=1 -M 40 --json
largest=$(grep -o '"name": "attention-segment", "value": [0-9]*' "$dir/out" | sed 's/.*: //' | sort -n | tail -1)
[ "$(grep -o '"name": "attention-segment"' "$dir/out" | wc -l)" -gt 1 ] && ok || bad "only one attention-segment"
"$REDBLUE" bound attention-backward:n=8,d=1 -M 40 --theorem attention-segment --certificate - | "$REDBLUE" check - > "$dir/out" 2> "$dir/err"
has "the larger of its name" "Q >= $largest by attention-segment"

# certificates
code "certificate" 0 "$REDBLUE" bound matmul:m=64,n=64,k=64 -M 256 --certificate "$dir/c.json"
code "check" 0 "$REDBLUE" check "$dir/c.json" --json
has "check" '{"valid": true, "theorem": "product-segment", "value": 33024, "reason": null, "M": 256, "models": ."recompute", "one-shot", "placing", "sliding".,'
sed 's/"value": 33024/"value": 33025/' "$dir/c.json" > "$dir/d.json"
code "a value too large" 1 "$REDBLUE" check "$dir/d.json" --json
has "a value too large" '"valid": false'
has "a value too large" 'the value follows as 33024'
echo '{"redblue": "certificate"' > "$dir/e.json"
code "half a file" 3 "$REDBLUE" check "$dir/e.json" --json
has "half a file" '"error": {"kind": "format"'
code "no file" 3 "$REDBLUE" check "$dir/none.json"
"$REDBLUE" bound matmul:m=64,n=64,k=64 -M 256 --certificate - 2> "$dir/err" | "$REDBLUE" check - > "$dir/out" 2>&1
is "through a pipe" $? 0
code "nowhere to write" 3 "$REDBLUE" bound matmul:m=6,n=6,k=6 -M 9 --certificate "$dir/no/c.json"

# what was checked is told, and is the computation itself whatever it is called
digest=$("$REDBLUE" cdag matmul:m=64,n=64,k=64 | sed -n 's/^digest *//p')
code "for people" 0 "$REDBLUE" check "$dir/c.json"
has "the digest" "computation  \"matmul:m=64,n=64,k=64,acc=0\", digest $digest"
has "the game" 'game         placing or sliding, vertices computed once or again'
has "the memory" 'memory       M = 256 words'
sed 's/"name": "matmul"/"name": "attention:n=1000000,d=128"/' "$dir/c.json" > "$dir/d.json"
"$REDBLUE" check "$dir/d.json" > "$dir/out"
has "another name" "digest $digest"
# a bound for one-shot plays says so, and does not without
"$REDBLUE" bound grid:r=5,c=5 -M 4 --one-shot --theorem wavefront --certificate - > "$dir/c.json" 2> "$dir/err"
code "one-shot" 0 "$REDBLUE" check "$dir/c.json"
has "one-shot" 'game         placing, no vertex computed twice (one-shot)'
sed 's/"one-shot", //' "$dir/c.json" > "$dir/d.json"
code "a game half told" 1 "$REDBLUE" check "$dir/d.json"
has "a game half told" 'game         not named'
has "a game half told" "does not name whether a vertex may be computed twice"
# a certificate of 300 bytes that speaks of 4 * 10^12 edges
printf '%s\n' '{"redblue": "certificate", "version": 1, "theorem": "compulsory", "models": ["one-shot", "placing"], "M": 4, "value": 3, "parameters": {},
  "cdag": {"name": "x", "text": "param n\ninput A[n]\nB[i:n] = A[*]\noutput C[i:1] = B[*]\n", "assign": "n=2000000"}, "digest": "0"}' > "$dir/s.json"
code "too many edges" 1 "$REDBLUE" check "$dir/s.json"
has "too many edges" 'edges are too many to go along one by one'
code "a limit of time" 4 "$REDBLUE" check "$dir/s.json" --limit-time 0.01 --json
has "a limit of time" '"kind": "limit"'
code "a limit of memory" 4 "$REDBLUE" check "$dir/s.json" --limit-memory 1M --json
has "a limit of memory" '"kind": "limit"'

# a schedule that is shown is legal in the game that is asked: strips computes again with its own settings
code "one-shot schedules" 0 "$REDBLUE" bound stencil2d:w=40,h=40,t=10 -M 200 --one-shot --json
has "one-shot schedules" '"name": "strips", "io": 32000, "params": {"b": 1, "c": 40}, "trust": "counted", "played": true'
code "one-shot schedules" 0 "$REDBLUE" verify stencil2d:w=40,h=40,t=10 strips:b=1,c=40 -M 200 --one-shot
code "one-shot schedules" 1 "$REDBLUE" verify stencil2d:w=40,h=40,t=10 strips -M 200 --one-shot

# usage
code "no M" 2 "$REDBLUE" bound matmul:m=4,n=4,k=4
code "no such family" 2 "$REDBLUE" bound matmull:m=4,n=4,k=4 -M 8
code "no such game" 2 "$REDBLUE" bound matmul:m=4,n=4,k=4 -M 8 --rules flying
code "theorems" 0 "$REDBLUE" bounds --json
has "theorems" '"name": "attention-three-way"'
code "theorems" 0 "$REDBLUE" bounds
has "theorems" 'source: '

# a computation of one's own, and a graph
printf 'param n d\ninput A[n,d], B[n,d], C[n,d]\nS[x:n,y:n,u:d] = S[x,y,u-1], A[x,u], B[y,u]\nR[x:n,u:d,y:n] = R[x,u,y-1], S[x,y,d-1], C[y,u]\noutput R[*,*,n-1]\n' > "$dir/mine.cdag"
code "mine" 0 "$REDBLUE" bound "$dir/mine.cdag:n=2000,d=16" -M 4K --json
has "mine" '"name": "attention-segment", "value": 1004096'
printf 'param w t\ninput A[s:t+1,i:w] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n' > "$dir/steps.cdag"
code "inputs inside an array" 0 "$REDBLUE" bound "$dir/steps.cdag:w=600,t=600" -M 5000 --json
has "inputs inside an array" '"best": {"name": "compulsory", "value": 1200'
printf '4 4\n0 1\n0 2\n1 3\n2 3\n' > "$dir/square.edges"
code "a graph" 0 "$REDBLUE" bound "$dir/square.edges" -M 3 --json
has "a graph" '"best": {"name": "compulsory", "value": 2'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
