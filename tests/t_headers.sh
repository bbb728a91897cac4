#!/bin/sh
# With the plain build only: the compiler alone.
# Public headers stand alone in C and in C++: each is compiled as the only one, then all together through report/redblue.h.
passed=0; failed=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
flags="-I. -D_GNU_SOURCE $(pkg-config --cflags gmp 2>/dev/null) -Wall -Wextra -Werror -fsyntax-only"
std='#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>'
try() { # NAME COMMAND...
  name=$1; shift
  if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$name"; head -5 "$work/log"; fi
}
public=$(sed -n 's/^#include "\([a-z]*\/[a-z_]*\.h\)"$/\1/p' report/redblue.h)
for h in $public; do
  echo "#include \"$h\"" >"$work/one.c"
  # shellcheck disable=SC2086
  try "$h in C" ${CC:-cc} -std=c11 $flags "$work/one.c"
  if command -v g++ >/dev/null; then
    printf '%s\nextern "C" {\n#include "%s"\n}\n' "$std" "$h" >"$work/one.cc"
    # shellcheck disable=SC2086
    try "$h in C++" g++ -std=c++11 $flags "$work/one.cc"
  fi
done
if command -v g++ >/dev/null; then
  printf '#include "report/redblue.h"\nint main() { char *a; int code = redblue_bound("dot:k=3", 4, "", &a); redblue_free(a); return code; }\n' >"$work/all.cc"
  # shellcheck disable=SC2086
  try "all in C++" g++ -std=c++11 $flags "$work/all.cc"
  if [ -f "$OBJ/libredblue.so" ] && ! ldd "$OBJ/libredblue.so" | grep -q -e asan -e ubsan -e gcov; then
    # shellcheck disable=SC2046
    try "linked from C++" g++ -std=c++11 -I. -D_GNU_SOURCE -o "$work/all" "$work/all.cc" "$OBJ/libredblue.so" $(pkg-config --libs gmp)
    ln -s "$OBJ/libredblue.so" "$work/libredblue.so.0"
    try "run from C++" env LD_LIBRARY_PATH="$work" "$work/all"
  fi
fi
# what is installed is what redblue.h includes
for h in $public report/redblue.h; do
  try "$h is not installed" grep -q -w "$(echo "$h" | sed 's/\./\\./')" cli/install.mk
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
