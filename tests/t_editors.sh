#!/bin/sh
# With the plain build only: the texts of the repository.
# The editors' grammars know the words of the languages: each keyword and function that the parsers know stands in both grammars.
passed=0; failed=0; t=$(mktemp); trap 'rm -f "$t"' EXIT
knows() { # FILE WORD...
  file=$1 there=" $(tr -cs 'A-Za-z0-9_' ' ' < "$1") "; shift
  for w in "$@"; do
    case $there in *" $w "*) passed=$((passed + 1)) ;; *) failed=$((failed + 1)); echo "$file does not know '$w'" ;; esac
  done
}
functions='min max isqrt ceil pow binomial'
words() { sed -n "/keywords\[\] = {/,/};/p" "$1" | grep -o '"[a-z]*"' | tr -d '"'; }
moves=$(words schedules/language/parse.c)
[ -n "$moves" ] || { failed=1; echo "schedules/language/parse.c has no keywords"; }
# shellcheck disable=SC2086
for editor in vscode/syntaxes/%.tmLanguage.json vim/syntax/%.vim; do
  knows "editors/${editor%\%*}cdag${editor#*%}" $functions param table input output if
  knows "editors/${editor%\%*}sched${editor#*%}" $functions $moves
done
if command -v python3 >/dev/null; then
  python3 -c 'import json, re, sys
for f in sys.argv[1:]:
  try:
    for p in json.load(open(f)).get("patterns", []): re.compile(p["match"])
    print("ok")
  except Exception as e: print(f + ": no grammar:", e)' editors/vscode/*.json editors/vscode/*/*.json > "$t"
  n=$(grep -c '^ok$' "$t")
  passed=$((passed + n)) failed=$((failed + $(wc -l < "$t") - n))
  [ "$n" -gt 0 ] || failed=$((failed + 1))
  grep -v '^ok$' "$t"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
