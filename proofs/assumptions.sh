#!/bin/sh
# assumptions.sh MAIN.v OUTPUT -- what Coq printed for each `Print Assumptions` of MAIN.v must be "Closed under the global
# context": the theorem rests on no axiom and on nothing left open.
names=$(sed -n 's/^Print Assumptions \(.*\)\.$/\1/p' "$1")
bad=0
i=0
for name in $names; do
  i=$((i + 1))
  said=$(sed -n "${i}p" "$2")
  echo "$name: $said"
  [ "$said" = "Closed under the global context" ] || bad=$((bad + 1))
done
[ "$i" -gt 0 ] && [ "$(wc -l <"$2")" = "$i" ] || { echo "Coq printed something else:"; cat "$2"; bad=$((bad + 1)); }
[ "$bad" = 0 ] && echo "$i theorems, no axiom, nothing assumed"
