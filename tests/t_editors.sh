#!/bin/sh
# With the plain build only: the texts of the repository.
# The editors' grammars know the words of the languages: each keyword and function that the parsers know stands in both grammars.
passed=0; failed=0
has() { # FILE WORD
  if grep -q -w -- "$2" "$1"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1 does not know '$2'"; fi
}
functions='min max isqrt ceil pow binomial'
words() { sed -n "/keywords\[\] = {/,/};/p" "$1" | grep -o '"[a-z]*"' | tr -d '"'; }
for w in $functions param table input output if; do has editors/vscode/syntaxes/cdag.tmLanguage.json "$w"; has editors/vim/syntax/cdag.vim "$w"; done
for w in $functions $(words schedules/language/parse.c); do
  has editors/vscode/syntaxes/sched.tmLanguage.json "$w"; has editors/vim/syntax/sched.vim "$w"
done
if command -v python3 >/dev/null; then
  for f in editors/vscode/*.json editors/vscode/*/*.json; do
    if python3 -c 'import json, re, sys
j = json.load(open(sys.argv[1]))
for p in j.get("patterns", []): re.compile(p["match"])' "$f"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$f: no grammar"; fi
  done
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
