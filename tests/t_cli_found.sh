#!/bin/sh
# redblue tune without a schedule: what is printed is a schedule that verify accepts, with the I/O that is said.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
field() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"; }
try() { # SPEC M
  "$REDBLUE" tune "$1" -M "$2" -o "$t/found.sched"; ok "$1: found" $? 0
  io=$(sed -n 's|^# I/O *\([0-9]*\) =.*|\1|p' "$t/found.sched")
  ok "$1: legal, as said" "$("$REDBLUE" verify "$1" "$t/found.sched" -M "$2" --engine both --json | field io)" "$io"
  ok "$1: the same again" "$("$REDBLUE" tune "$1" -M "$2" | cksum)" "$(cksum < "$t/found.sched")"
  ok "$1: in JSON" "$("$REDBLUE" tune "$1" -M "$2" --json | field io)" "$io"
}
try attention:n=24,d=4 60
try matmul:m=9,n=8,k=7,acc=1 30
try cholesky:n=9 20
try attention-sparse:n=12,d=2,b=3 20
cat > "$t/2mm.cdag" <<'E2'
param n
input A[n,n], B[n,n], C[n,n], D0[n,n,1]
E[i:n, j:n, k:n] = E[i,j,k-1], A[i,k], B[k,j]
D[i:n, j:n, k:n] = D[i,j,k-1], D0[i,j,k], E[i,k,n-1], C[k,j]
output D[*,*,n-1]
E2
try "$t/2mm.cdag:n=12" 40
"$REDBLUE" tune matmul:m=3,n=3,k=3 -M 2 > /dev/null 2>&1; ok "no room" $? 4
"$REDBLUE" tune matmul:m=3,n=3,k=3 -M 9 --rules partial > /dev/null 2>&1; ok "not for the partial game" $? 2
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
