#!/bin/sh
# The solutions of the course: each schedule says in its first line what it plays and what it costs, and verify agrees; each
# certificate is valid, and claims what the course says it does; every exercise is answered.
: "${REDBLUE:?}"
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top/docs/course/solutions" || exit 1
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }

for f in *.sched; do
  line=$(sed -n '1s/^# play: \(.*\) costs [0-9]*$/\1/p' "$f")
  cost=$(sed -n '1s/^# play: .* costs \([0-9]*\)$/\1/p' "$f")
  if [ -z "$line" ] || [ -z "$cost" ]; then bad "$f does not say what it solves"; continue; fi
  set -- $line
  spec=$1; shift
  if out=$("$REDBLUE" verify "$spec" "$f" "$@" --json 2>&1) && [ "$(printf '%s' "$out" | grep -o '"io": [0-9]*' | head -1)" = "\"io\": $cost" ]; then
    ok
  else
    bad "$f: $out"
  fi
done
while read -r file value; do
  if out=$("$REDBLUE" check "$file" 2>&1) && [ "${out#valid: Q >= "$value" by }" != "$out" ]; then ok; else bad "$file: $out, wanted $value"; fi
done <<'T'
segment.json 55
tall.json 5188
attention.json 42094
backward.json 55450831
low-rank.json 567040
T
# every solution is named by a chapter, and every solution a chapter names is there
for f in *; do
  if grep -qF "(solutions/$f)" ../*.md; then ok; else bad "no chapter names $f"; fi
done
for f in $(grep -oh '(solutions/[^)]*)' ../*.md | sed 's/(solutions\/\(.*\))/\1/' | sort -u); do
  if [ -f "$f" ]; then ok; else bad "there is no solution $f"; fi
done
# every exercise has a solution beside it or an answer, which does not stand in the question; the reader's own formula (10.3) has neither
for chapter in ../[0-9]*.md; do
  k=$(basename "$chapter" | sed 's/^0*\([0-9]*\)-.*/\1/')
  answers=$(awk -v k="$k" '/^## \[/ { here = $0 ~ "\\[" k "\\." } here' answers.md)
  sed -n '/^## Exercises/,$p' "$chapter" > "$dir/exercises"
  n=$(grep -c '^[0-9]*\. ' "$dir/exercises")
  [ "$n" -gt 0 ] || bad "$chapter: no exercises"
  for e in $(seq 1 "$n"); do
    [ "$k.$e" != 10.3 ] || continue
    if awk -v e="$e" '/^[0-9]+\. / { here = $1 == e "." } here' "$dir/exercises" | grep -q '(solutions/' ||
      printf '%s' "$answers" | grep -q "^\*\*$e\.\*\*"; then ok; else bad "$chapter: no answer to exercise $e"; fi
  done
  if grep -q '(Answer' "$dir/exercises"; then bad "$chapter: an answer in a question"; else ok; fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
