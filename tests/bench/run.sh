#!/bin/sh
# run.sh [NAME...] -- build and run the benchmarks beside this file (all, or those named), one after the other.
# OBJ: where the library was built.  Rates are of processor time, and so are ratios: they hold for this run on this machine.
: "${OBJ:?}" "${CC:=cc}"
packages="check igraph gmp jansson cairo"
mkdir -p "$OBJ/bench"
[ $# -gt 0 ] || set -- $(for f in tests/bench/*.c; do basename "$f" .c; done)
for name in "$@"; do
  program=$OBJ/bench/$name
  # shellcheck disable=SC2046
  $CC -std=c11 -O2 -g -I. -D_GNU_SOURCE $(pkg-config --cflags $packages) -o "$program" "tests/bench/$name.c" tests/support*.c "$OBJ/libredblue.a" \
    $(pkg-config --libs $packages) -lglpk -lamd -lm || exit 1
  echo "== $name"
  "$program" || exit 1
done
