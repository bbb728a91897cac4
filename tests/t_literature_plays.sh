#!/bin/sh
# With the plain build only: bounds and plays of the kinds that other tests ask for.
# Lower bounds that were printed and are false: a play beats each of them.
: "${REDBLUE:?}"
passed=0; failed=0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

field() { sed -n 's/.*"'"$1"'": \([^,}]*\).*/\1/p' | head -n 1; }

# beats CDAG SCHEDULE M ROW IO: the play is legal, costs IO, and the row claims more, as refuted
beats() {
  io=$("$REDBLUE" verify "$1" "$2" -M "$3" --json | field io)
  claim=$("$REDBLUE" bound "$1" -M "$3" --json | tr '{' '\n' | grep "\"name\": \"$4\"" | grep '"trust": "refuted"' | field value)
  if [ "$io" = "$5" ] && [ -n "$claim" ] && [ "$claim" -gt "$io" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)); echo "$1 -M $3: play ${io:-none} (expected $5), $4 claims ${claim:-nothing}"
  fi
}

cat > "$dir/thin.sched" <<'END'
schedule thin for matmul
param a = max(1, (M - k - 2) / k)
for I in m by a {
  load A[I,*]
  for j in n snake {
    if first(I) + (first(j) == 0) { load B[*,j] }
    for i in I { compute C[i,j,*] dropping C store C[i,j,k-1] drop C[i,j,k-1] }
    if last(j) == 0 { drop B[*,j] }
  }
  drop A[I,*]
}
END
cat > "$dir/syrk.cdag" <<'END'
param n k
input A[n,k]
C[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], A[j,l]
output C[*,*,k-1]
END
cat > "$dir/syr2k.cdag" <<'END'
param n k
input A[n,k], B[n,k]
C[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], B[j,l], B[i,l], A[j,l]
output C[*,*,k-1]
END
cat > "$dir/triangle.sched" <<'END'
for l in k {
  load A[*,l]
  compute C[*,*,l] dropping C
  drop A[*,l]
}
store C[*,*,k-1]
END
sed 's/load A\[\*,l\]/load A[*,l], B[*,l]/; s/drop A\[\*,l\]/drop A[*,l], B[*,l]/' "$dir/triangle.sched" > "$dir/triangle2.sched"

beats matmul:m=4,n=4,k=1 "$dir/thin.sched" 3 cosma-theorem-1 33
beats matmul:m=400,n=400,k=4 "$dir/thin.sched" 64 cosma-theorem-1 207888
beats "$dir/syrk.cdag:n=8,k=100" "$dir/triangle.sched" 37 soap-syrk 828
beats syrk:n=495,k=200 examples/tbs.sched:r=9,c=11 1024 soap-syrk 1409760
beats "$dir/syr2k.cdag:n=8,k=100" "$dir/triangle2.sched" 45 soap-syr2k 1628
beats attention-sparse:n=65536,d=64,b=512,w=4 grouped 262144 li-sparse 38600704

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
