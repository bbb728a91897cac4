#!/bin/sh
# With the plain build only: the texts of the repository.
# Every path of this tree that a document or a source file names is there: `bounds/list.c`, tests/run.sh, schedules/any/ or pebble/tile/*.c.
# In the recipes of docs/contributing.md and in what tests write, paths are made up: these files are left out.
passed=0; failed=0
rooms='base|cdag|pebble|schedules|bounds|report|cli|tests|docs|examples|proofs|python'
for f in $(git ls-files '*.md' '*.c' '*.h' 2>/dev/null || find . -name '*.md' -o -name '*.[ch]'); do
  case $f in docs/contributing.md | tests/* | proofs/* | CHANGELOG.md) continue ;; esac
  [ -f "$f" ] || continue
  bad=
  for p in $(grep -oE "(^|[^A-Za-z0-9_/.~-])($rooms)/[A-Za-z0-9_*./-]*[A-Za-z0-9_*/]" "$f" | sed 's/^[^a-z]*//; s/NAME/*/g; s/FAMILY/*/g' | sort -u); do
    for one in $p; do [ -e "$one" ] || [ -e "$(dirname "$f")/$one" ] || [ -e "$one.md" ] || bad="$bad $p"; done
  done
  if [ -z "$bad" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$f names what is not there:$bad"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
