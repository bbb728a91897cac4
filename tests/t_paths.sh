#!/bin/sh
# With the plain build only: the texts of the repository.
# Every path of this tree that a document or a source file names is there: `bounds/list.c`, tests/run.sh, schedules/any/ or pebble/tile/*.c.
# In the recipes of docs/contributing.md and in what tests write, paths are made up: these files are left out.
rooms='base|cdag|pebble|schedules|bounds|report|cli|tests|docs|examples|proofs|python'
list=$(mktemp); trap 'rm -f "$list"' EXIT
{ git ls-files '*.md' '*.c' '*.h' 2>/dev/null || find . -name '*.md' -o -name '*.[ch]'; } | sed 's|^\./||' |
  grep -v -e '^docs/contributing\.md$' -e '^tests/' -e '^proofs/' -e '^CHANGELOG\.md$' | while read -r f; do [ ! -f "$f" ] || echo "$f"; done > "$list"
# FILE:PATH, each once: one grep for all files, since thousands of processes are what took the time here
named=$(xargs grep -HoE "(^|[^A-Za-z0-9_/.~-])($rooms)/[A-Za-z0-9_*./-]*[A-Za-z0-9_*/]" < "$list" | sed 's/:[^a-z]*/:/; h; s/^[^:]*//; s/NAME/*/g; s/FAMILY/*/g; x; s/:.*//; G; s/\n//' | sort -u)
bad=
for row in $named; do # a path with * is what it matches
  f=${row%%:*}
  for one in ${row#*:}; do [ -e "$one" ] || [ -e "${f%/*}/$one" ] || [ -e "$one.md" ] || bad="$bad
$f names what is not there: $one"; done
done
all=$(wc -l < "$list") failed=$(printf '%s' "$bad" | sed '/^$/d; s/ names .*//' | sort -u | grep -c '')
[ -z "$bad" ] || echo "$bad"
[ "$all" -gt 100 ] || { failed=1; echo "only $all files are here"; }
echo "$((all - failed)) passed, $failed failed"
[ "$failed" = 0 ]
