#!/bin/sh
# assumptions.sh MAIN.v OUTPUT -- what Coq printed for the tuple `proved` of MAIN.v must be "Closed under the global context", and nothing
# else: no theorem in it rests on an axiom or on something left open.  Else Coq prints the axioms.
names=$(sed -n '/^Definition proved := ($/,/^Print Assumptions proved\.$/s/^  @\([A-Za-z0-9_.]*\)\(,\|)\.\)$/\1/p' "$1")
count=$(echo "$names" | wc -w)
asked=$(grep -c '^Print Assumptions proved\.$' "$1")
said=$(cat "$2")
echo "$names"
[ "$count" -gt 0 ] && [ "$asked" = 1 ] && [ "$said" = "Closed under the global context" ] || { echo "these rest on: $said"; exit 1; }
echo "$count theorems, no axiom, nothing assumed: $said"
