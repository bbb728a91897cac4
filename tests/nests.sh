#!/bin/sh
# nests.sh [M...] -- the best bound, the best play and the gap of each computation in tests/nests at its full size, one-shot and with recomputation (make nests;
# minutes).  FILES: which.
: "${REDBLUE:?}"
[ $# -gt 0 ] || set -- 4096
for m in "$@"; do
  for game in --one-shot ''; do
    echo "M = $m${game:+, one-shot}"
    for f in ${FILES:-tests/nests/*.c tests/nests/*.cdag}; do
      out=$("$REDBLUE" bound "$f:$(sed -n '1s/^[/#]* params //p' "$f")" -M "$m" --json $game 2>&1)
      printf '%s\n' "$out" | awk -v name="${f##*/}" '
        /"best"/ { bound = play = gap = $0
                   sub(/.*"best": \{"name": "/, "", bound); theorem = bound; sub(/".*/, "", theorem)
                   sub(/[^:]*: /, "", bound); sub(/[^0-9].*/, "", bound)
                   if (sub(/.*"gap": /, "", gap)) sub(/[^0-9.].*/, "", gap); else gap = "-"
                   printf "%-32s %-22s %16s  gap %s\n", name, theorem, bound, gap == "-" ? gap : sprintf("%.3f", gap); next }
        { printf "%-32s %s\n", name, $0 }'
    done
  done
done
