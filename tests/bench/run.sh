#!/bin/sh
# run.sh [NAME...] -- build and run the benchmarks beside this file (all, or those named), one after the other; then the ratios that hold
# across machines, beside the last row of history.md.  HISTORY=1 adds a row to it.
# OBJ: where the library was built.  LIBS: what it needs.  Rates are of processor time, and so are ratios.
: "${OBJ:?}" "${CC:=cc}" "${LIBS:?}"
here=tests/bench
packages="check igraph gmp jansson cairo"
mkdir -p "$OBJ/bench"
[ $# -gt 0 ] || set -- $(for f in $here/*.c; do basename "$f" .c; done)
out=$OBJ/bench/out
machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
machine="${machine:-$(uname -m)}, $(nproc) cores, $($CC --version | head -1), load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null)"
echo "$machine"
: >"$out"
for name in "$@"; do
  program=$OBJ/bench/$name
  # shellcheck disable=SC2046,SC2086
  $CC -std=c11 -O2 -g -I. -D_GNU_SOURCE $(pkg-config --cflags $packages) -o "$program" "$here/$name.c" tests/support*.c "$OBJ/libredblue.a" \
    $(pkg-config --libs check) $LIBS || exit 1
  echo "== $name" | tee -a "$out"
  "$program" >"$out.one" || exit 1
  cat "$out.one"
  cat "$out.one" >>"$out"
done
awk -f $here/ratios.awk "$out" >"$out.ratios"
echo "== ratios"
last=$(grep '^| [0-9]' $here/history.md | tail -1)
awk -F'\t' -v last="$last" 'BEGIN { split(last, then, / *\| */) } { printf "%-26s %10s   last in the history: %s\n", $1, $2, then[NR + 2] }' "$out.ratios"
if [ -n "$HISTORY" ]; then
  printf '| %s | %s | %s |\n' "$(date +%Y-%m-%d)" "$(cut -f2 "$out.ratios" | paste -sd'|' | sed 's/|/ | /g')" "$machine" >>$here/history.md
fi
