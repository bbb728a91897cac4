#!/bin/sh
# run.sh [NAME...] -- build the library with sanitizers and let every fuzz target beside this file (or those named) run for FUZZ_S seconds.
# A target is a program NAME SECONDS [SEED]; it prints what it tried and exits 1 with the offending text at the first fault.
: "${FUZZ_S:=60}" "${CC:=cc}" "${SEED:=$(date +%s)}"
packages="check igraph gmp jansson cairo"
make --no-print-directory -s VARIANT=asan all || exit 1
OBJ=build/asan
mkdir -p "$OBJ/fuzz"
[ $# -gt 0 ] || set -- $(for f in tests/fuzz/*.c; do basename "$f" .c; done)
for name in "$@"; do
  program=$OBJ/fuzz/$name
  # shellcheck disable=SC2046
  $CC -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I. -D_GNU_SOURCE $(pkg-config --cflags $packages) \
    -o "$program" "tests/fuzz/$name.c" tests/support*.c "$OBJ/libredblue.a" $(pkg-config --libs $packages) -lglpk -lm || exit 1
  echo "== $name, seed $SEED"
  "$program" "$FUZZ_S" "$SEED" || exit 1
done
