#!/bin/sh
# late.sh LIBRARY PREFIX SOURCE... -- a header by which each SOURCE calls the PREFIX_... functions of LIBRARY through
# base/late.h: the library is loaded by the first call.  Types come from the library's own headers, which SOURCE includes
# before.
library=$1 prefix=$2
shift 2
file=$(${CC:-cc} -print-file-name="lib$library.so")
soname=$(LC_ALL=C readelf -d "$file" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ -n "$soname" ] || { echo "late.sh: lib$library.so is not installed" >&2; exit 1; }
echo '#include "base/late.h"'
cat "$@" | sed 's/"[^"]*"//g; s|/\*.*\*/||' | grep -o "\b${prefix}_[a-z0-9_]*[(,)]" | tr -d "(,)" | grep -v "_t$" | sort -u | while read -r f; do
  printf 'static inline __typeof__(&%s) late_%s(void)\n{\n  static __typeof__(&%s) f;\n' "$f" "$f" "$f"
  printf '  if (!f)\n    f = (__typeof__(f))late_symbol("%s", "%s");\n  return f;\n}\n' "$soname" "$f"
  printf '#define %s late_%s()\n' "$f" "$f"
done
