#!/bin/sh
# The table of docs/open-problems.md made again: every row's best bound and best play, as `redblue bound` prints them.
#   sh tests/open-problems.sh PAGE         prints the page with today's numbers (make open-problems; a minute or two)
#   sh tests/open-problems.sh --bounds PAGE  says which bounds and ratios of the page are not today's (a few seconds);
#                                        of the bounds of more than EVERY rows one of EVERY, and all with ROUNDS=EVERY
: "${REDBLUE:?}"
what=all EVERY=3
[ "$1" = --bounds ] && { what=bounds; shift; }
page=$1
rows() { grep '^| `[^`]*` | [0-9]*[KMG]* ' "$page"; }
# a row's cells: computation, M, bound, theorem, play, schedule, ratio
cells() { sed 's/^| `\([^`]*\)` | \([0-9]*[KMG]*\)[^|]*| \([0-9]*\), \([^|]*\) | \([0-9]*\), \([^|]*\) | \([0-9.]*\) |$/\1 \2 \3 \4 \5 \6 \7/'; }

if [ $what = bounds ]; then
  [ "$(rows | wc -l)" -gt $EVERY ] || ROUNDS=$EVERY
  rows | cells | {
    bad=0 n=0
    while read -r spec m bound theorem play schedule ratio; do
      n=$((n + 1))
      awk "BEGIN { exit sprintf(\"%.2f\", $play / $bound) != \"$ratio\" }" || { bad=$((bad + 1)); echo "$spec, M = $m: $play / $bound is not $ratio"; }
      [ $((n % EVERY)) -lt "${ROUNDS:-1}" ] || continue
      now=$("$REDBLUE" table --sweep "M=$m" --spec "$spec" --columns 'bound,theorem' --format csv | sed -n '2s/\([0-9]*,[^,]*,[^,]*\).*/\1/p')
      now=${now#*,}
      [ "$now" = "$bound,$theorem" ] || { bad=$((bad + 1)); echo "$spec, M = $m: the bound is $now, the page says $bound,$theorem"; }
    done
    echo "$((n - bad)) of $n rows as today"
    [ "$n" -gt 0 ] && [ "$bad" = 0 ]
  }
  exit
fi

while IFS= read -r line; do
  row=$(printf '%s\n' "$line" | grep '^| `[^`]*` | [0-9]*[KMG]* ' | cells)
  if [ -z "$row" ]; then
    printf '%s\n' "$line"
    continue
  fi
  set -- $row
  at=$(printf '%s\n' "$line" | sed 's/^| [^|]*| \([^|]*\) |.*/\1/')
  "$REDBLUE" bound "$1" -M "$2" --limit-time 120 --json | python3 -c "
import json, sys
b = json.load(sys.stdin)
best = b['best']
play = min((s for s in b['schedules'] if s.get('io') is not None), key=lambda s: s['io'])
print('| \`$1\` | $at | %d, %s | %d, %s | %.2f |' % (best['value'], best['name'], play['io'], play['name'], play['io'] / best['value']))"
done < "$page"
