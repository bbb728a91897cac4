#!/bin/sh
# collect.sh FILE... -- the lists of all theorems and of all checkers of certificates, as C: what the files define by BOUND_THEOREM(order, id)
# and BOUND_CHECKER(id) at the beginning of a line.
theorems=$(sed -n 's/^BOUND_THEOREM(\([0-9]*\), \([a-z0-9_]*\)).*/\1 \2/p' "$@" | sort -n | sed 's/.* //')
checkers=$(sed -n 's/^BOUND_CHECKER(\([a-z0-9_]*\)).*/\1/p' "$@" | LC_ALL=C sort)
list() { # PREFIX TYPE NAME ID...
  prefix=$1 type=$2 name=$3
  shift 3
  for id; do echo "extern const $type $prefix$id;"; done
  echo "const $type *const $name[] = {"
  for id; do echo "  &$prefix$id,"; done
  echo "  0 };"
}
echo '#include "bounds/bound.h"'
echo '#include "bounds/checker.h"'
list bound_theorem_ bound_theorem bound_theorems $theorems
list bound_checker_ bound_checker bound_checkers $checkers
