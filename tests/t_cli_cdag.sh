#!/bin/sh
# redblue cdag and redblue families from the command line: counts, formats, exit codes, errors as JSON.
: "${REDBLUE:?}"
passed=0; failed=0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

check() { # check WHAT CONDITION...
  what=$1; shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
code() { # code N ARGS...: the exit code of redblue ARGS is N
  want=$1; shift
  "$REDBLUE" "$@" >"$dir/out" 2>"$dir/err" </dev/null; got=$?
  [ "$got" = "$want" ] || { echo "exit $got, not $want: $*"; false; }
}
says() { grep -q -e "$1" "$dir/out"; }
errs() { grep -q -e "$1" "$dir/err"; }

# the example of the design: 3*2*3 inputs, S 18, P 9, L 9, Z 18, O 6
code 0 cdag attention:n=3,d=2 --json
check "counts" says '"vertices": 78, "edges": 129, "inputs": 18, "outputs": 6, "max_in_degree": 3'
check "arrays" says '"name": "S", "rank": 3, "count": 18, "input": false, "output": false'
check "parameters" says '"params": {"n": 3, "d": 2, "nk": 3, "dv": 2}'
check "all lead to an output" says '"useless": 0'
check "edges" code 0 cdag attention:n=3,d=2 --format edges
check "the first line" [ "$(sed -n 1p "$dir/out")" = "78 129" ]
check "as many lines" [ "$(wc -l <"$dir/out")" = 130 ]
check "text" code 0 cdag attention:n=1000000,d=128
check "large counts" says '258000512000000'

# every format reads back as the same graph; edges, dot and graphml keep inner outputs
for f in edges dot graphml; do
  code 0 cdag cholesky:n=4 --format $f; cp "$dir/out" "$dir/c.$f"
  code 0 cdag "$dir/c.$f" --json
  check "$f read back" says '"vertices": 30, "edges": 40, "inputs": 10, "outputs": 10'
  code 0 cdag "$dir/c.$f" --format edges; sort "$dir/out" >"$dir/again"
  sort "$dir/c.edges" >"$dir/first"
  [ $f = dot ] || check "$f written again" cmp -s "$dir/first" "$dir/again"
done
code 0 cdag matmul:m=2,n=2,k=2 --format hyperdag; cp "$dir/out" "$dir/m.hdag"
code 0 cdag "$dir/m.hdag" --json
check "hyperdag" says '"vertices": 16, "edges": 20'
check "hyperdag cannot mark inner outputs" code 3 cdag cholesky:n=4 --format hyperdag

# the language printed is the same CDAG, parameters kept
code 0 cdag attention-online:n=5,d=2,b=2 --format cdag; cp "$dir/out" "$dir/online.cdag"
code 0 cdag "$dir/online.cdag" --format cdag
check "print of a print" cmp -s "$dir/out" "$dir/online.cdag"
code 0 cdag "$dir/online.cdag" --format edges; cp "$dir/out" "$dir/e1"
code 0 cdag attention-online:n=5,d=2,b=2 --format edges
check "same edges" cmp -s "$dir/out" "$dir/e1"
check "parameters kept" code 0 cdag "$dir/online.cdag:n=7,b=3"
"$REDBLUE" cdag - --json <"$dir/online.cdag" >"$dir/out"
check "standard input" says '"vertices": 225'
"$REDBLUE" cdag --json -- -:n=4 <"$dir/online.cdag" >"$dir/out"
check "standard input with parameters" says '"n": 4'
printf '3 2\n0 2\n1 2\n' >"$dir/g.txt"
"$REDBLUE" cdag - --json <"$dir/g.txt" >"$dir/out"
check "a graph on standard input" says '"vertices": 3, "edges": 2, "inputs": 2, "outputs": 1'

# two products chained, written by a user
cat >"$dir/two.cdag" <<'END'
param n
input A[n,n], B[n,n], C[n,n]
T[i:n, j:n, k:n] = T[i,j,k-1], A[i,k], B[k,j]
R[i:n, j:n, k:n] = R[i,j,k-1], T[i,k,n-1], C[k,j]
output R[*,*,n-1]
END
code 0 cdag "$dir/two.cdag:n=2" --json
check "a text of one's own" says '"name": "two", "vertices": 28, "edges": 40, "inputs": 12, "outputs": 4'

# vertices that lead nowhere are reported
printf 'input x[3]\noutput y[i:2] = x[i]\n' >"$dir/u.cdag"
code 0 cdag "$dir/u.cdag" --json; check "useless" says '"useless": 1'
code 0 cdag "$dir/u.cdag"; check "useless in words" says 'lead to no output'

# exit codes
check "no parameter" code 2 cdag attention:n=3
check "its sentence" errs 'parameter d of attention has no value'
check "unknown family" code 2 cdag atention:n=3,d=2
check "suggestion" errs "did you mean 'attention'"
check "memory is no parameter" code 2 bound attention:n=8,d=2,M=20
check "but an option" errs 'give it as -M WORDS'
check "nor beside it" code 2 bound attention:n=8,d=2,M=20 -M 20
check "is said" errs '-M gives it'
check "a table sweeps it" code 2 table attention:n=8,d=2 -M 20
check "is said, too" errs '--sweep M=16K'
check "unknown parameter" code 2 cdag attention:n=3,e=2
check "unknown format" code 2 cdag attention:n=3,d=2 --format dott
check "no SPEC" code 2 cdag
check "no file" code 3 cdag "$dir/none.cdag"
check "a folder" code 3 cdag "$dir/"
printf 'input A[2]\nB[i:2] = A[i]\noutput C[i:1] = A[*]\n' > "$dir/sinks.cdag"
check "sinks that are no outputs" code 0 cdag "$dir/sinks.cdag" --format edges
check "sinks that are no outputs" errs '2 vertices that are none in the text become outputs'
check "every sink is an output" code 0 cdag attention:n=2,d=1 --format edges
[ -s "$dir/err" ]; check "every sink is an output" [ $? = 1 ]
check "too large to write" code 4 cdag attention:n=1000000,d=128 --format edges
check "negative size" code 3 cdag attention:n=-3,d=2
check "nothing put out" code 3 cdag matmul:m=2,n=2,k=0,acc=1
check "empty" code 0 cdag matmul:m=0,n=0,k=0
check "a graph has no parameters" code 2 cdag "$dir/g.txt:n=3"
check "a graph is no text" code 2 cdag fft:l=2 --format cdag
check "generated family, too large" code 3 cdag fft:l=60
printf 'input x[3]\noutput y[i:3] = x[j]\n' >"$dir/bad.cdag"
check "bad text" code 3 cdag "$dir/bad.cdag" --json
check "error object" says '"error": {"kind": "name", "message": "nothing is called .j. here", "file": ".*bad.cdag", "line": 2, "column": 19}'
check "the place on stderr" errs 'bad.cdag:2:19: '
printf 'input x[3]\0\noutput x[*]\n' >"$dir/zero.cdag"
check "a zero byte" code 3 cdag "$dir/zero.cdag"
printf 'schedule s\nload A[0]\n\0drop A[0]\n' >"$dir/zero.sched"
printf 'input A[1]\noutput B[1] = A[0]\n' >"$dir/one.cdag"
check "a schedule with a zero byte is not counted up to there" code 3 count "$dir/one.cdag" "$dir/zero.sched" -M 2
check "and its line is said" errs 'zero.sched:3:1: .*zero byte'
printf 'word 4\nmemory 4K\n\0special 3\n' >"$dir/zero.machine"
check "a machine with a zero byte" code 3 bound dot:k=9 --machine "$dir/zero.machine"
check "and why" errs 'zero byte'
printf 'spec dot:k=9\nsweep M=16\n\0column bound = bound\n' >"$dir/zero.table"
check "a table with a zero byte" code 3 table "$dir/zero.table"
check "and why" errs 'zero byte'
printf 'table t[2] = 1, 2\ninput x[3]\noutput y[i:1] = x[t[i]]\n' >"$dir/t.cdag"
printf '1 2\0 3' >"$dir/zero.values"
check "a table's values with a zero byte" code 3 cdag "$dir/t.cdag:t=@$dir/zero.values"
check "and why" errs 'zero byte'
: >"$dir/empty.cdag"
check "an empty file" code 3 cdag "$dir/empty.cdag"

# families
check "families" code 0 families
check "lists them" says '^attention-backward$'
check "families as JSON" code 0 families --json
for f in matmul attention attention-online attention-causal attention-sparse attention-backward attention-lowrank mlp chain tree \
  pyramid grid stencil stencil2d fft dot matvec hypercube strassen cholesky syrk random; do
  check "family $f" says "{\"name\": \"$f\", \"summary\": \"[^\"]..*\", \"parameters\": \"[^\"]..*\", \"source\": \"[^\"]..*\"}"
done
for s in tree:h=3 pyramid:h=3 fft:l=3 hypercube:l=3 strassen:l=2 random:n=20,seed=3,degree=3 random:n=9; do
  check "$s" code 0 cdag $s
done

# what is written as in mathematics or in C is answered with the way a .cdag says it
meant() { # meant HINT LINES
  printf 'input A[8,8], x[8]\n%b\n' "$2" > "$dir/m.cdag"
  check "read: $2" code 3 cdag "$dir/m.cdag"
  check "hint: $2" errs "; $1"
}
meant 'terms are separated by commas' 'y[i:8, j:8] = y[i,j-1] + A[i,j] * x[j]'
meant 'terms are separated by commas' 'y[i:8] = sum j:8 { A[i,j] * x[j] }'
meant 'indices share one pair of brackets, A\[i,j\]' 'input B[8][8]'
meant 'a sum is written sum j:n { TERM, ... }' 'y[i:8] = sum(j:8) A[i,j]'
meant 'of any other function, list what it reads' 'y[i:8, j:8] = max(y[i,j-1], A[i,j])'
meant 'a line ends a statement, with no sign' 'input B[8];'
meant 'a parameter is written param n = 8' 'n = 8'
meant 'an index and its range are written i:n or i:1..n' 'y[i=0..8] = x[i]'
meant 'an index and its range are written i:n or i:1..n' 'y[i in 0..8] = x[i]'
meant 'a comment begins with #' 'y[i:8] = x[i] // as it is'
printf 'input x[8]\ny[i:8] = x[i i]\n' > "$dir/m.cdag"
check "no hint" code 3 cdag "$dir/m.cdag"
check "no hint where none helps" [ "$(cat "$dir/err")" = "redblue: $dir/m.cdag:2:14: expected ']', found 'i'" ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
