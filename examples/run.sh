#!/bin/sh
# run.sh -- every example: the small program that uses the library, then the tables for papers.
set -e
: "${REDBLUE:=build/redblue}"
: "${OBJ:=build/release}"
: "${LIBS:=$(pkg-config --libs gmp) -lm}"
if [ -f examples/library.c ]; then
  ${CC:-cc} -std=c11 -I. examples/library.c "$OBJ/libredblue.a" $(pkg-config --cflags igraph gmp) $LIBS -o "$OBJ/library-example"
  "$OBJ/library-example"
fi
for t in examples/paper/*.table; do
  echo; "$REDBLUE" table "$t" --jobs 2 -q
done
