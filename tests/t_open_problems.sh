#!/bin/sh
# With the plain build only: bounds of the kinds that other tests ask for, of larger computations.
# The bounds and ratios of docs/open-problems.md are today's (its plays take minutes: make open-problems).
: "${REDBLUE:?}"
export REDBLUE
passed=0; failed=0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
page=docs/open-problems.md
row='| `attention:n=16K,d=64` | 4K | 711686713, attention-three-way |'

if said=$(sh tests/open-problems.sh --bounds $page); then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$said"; fi
# a bound, a theorem, a ratio that is wrong, and a page without rows
for wrong in "${row%713*}714, attention-three-way | 1094713344, found | 1.54 |" "${row%three*}segment | 1094713344, found | 1.54 |" \
  "$row 1094713344, found | 1.53 |" 'nothing'; do
  echo "$wrong" > "$dir/page.md"
  if sh tests/open-problems.sh --bounds "$dir/page.md" > "$dir/said"; then
    failed=$((failed + 1)); echo "passes: $wrong"
  else
    passed=$((passed + 1))
  fi
done
echo "$row 1094713344, found | 1.54 |" > "$dir/page.md"
if sh tests/open-problems.sh --bounds "$dir/page.md" > "$dir/said"; then passed=$((passed + 1)); else failed=$((failed + 1)); cat "$dir/said"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
