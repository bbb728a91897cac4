#!/bin/sh
# With the plain build only: the texts of the repository, and a tree built from them.
# docs/contributing.md followed word by word, in a copy of the tree: its files written, its rows put in, its sessions run and compared.
# And the two documents that are made from the code are those the code makes now.
: "${REDBLUE:?}" "${OBJ:?}"
passed=0; failed=0
ok() { if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi; }

sh docs/bounds-catalogue.sh | cmp -s - docs/bounds-catalogue.md
ok "docs/bounds-catalogue.md is out of date: sh docs/bounds-catalogue.sh > docs/bounds-catalogue.md" $?
said=$(mktemp); grep -o '`[a-z_]*_[a-z_]*`' docs/glossary.md | tr -d '`' | sort -u >"$said"
missing=$(grep -rhowF --include='*.h' -f "$said" base cdag pebble schedules bounds report cli | sort -u | comm -23 "$said" -)
[ -s "$said" ] && [ -z "$missing" ]; ok "docs/glossary.md names what no header has: $missing" $?
rm -f "$said"

case $OBJ in */release) ;; *) echo "the recipes are followed in the release build only"; echo "$passed passed, $failed failed"; [ $failed = 0 ]; exit ;; esac
unset MAKEFLAGS MAKELEVEL MFLAGS
tree=$(mktemp -d); trap 'rm -rf "$tree"' EXIT
doc=$(pwd)/docs/contributing.md
cp -a Makefile base cdag pebble schedules bounds report cli examples "$tree"
mkdir -p "$tree/build/release/tests" "$tree/tests"
cp -a tests/support*.[ch] tests/t_library.c tests/cases "$tree/tests"
cp -a "$OBJ"/tests/support*.[od] "$OBJ"/tests/t_library.[od] "$tree/build/release/tests"
for room in base cdag pebble schedules bounds report cli gen; do cp -a "$OBJ/$room" "$tree/build/release"; done
cd "$tree" || exit 1

# the steps in their order: N.file, N.row, N.session with their targets in N.to
awk -v dir="$tree/steps" '
  BEGIN { system("mkdir -p " dir) }
  /^```[a-z]+ (file|row)=/ { n++; kind = $2; sub(/=.*/, "", kind); to = $2; sub(/^[a-z]*=/, "", to)
    out = sprintf("%s/%03d.%s", dir, n, kind); print to > (out ".to"); before = $3; sub(/^before=/, "", before); print before > (out ".before"); on = 1; next }
  /^```session$/ { n++; out = sprintf("%s/%03d.session", dir, n); on = 1; next }
  /^```/ { on = 0; next }
  on { print > out }' "$doc"

put_row() { # step TO BEFORE: its lines in front of the first line that matches, behind the table begun before it
  awk -v rows="$1" -v before="$3" '!done && $0 ~ before { while ((getline line < rows) > 0) print line; done = 1 } { print }' "$2" >"$2.new" && mv "$2.new" "$2"
}
built=0
session() {
  if [ $built = 0 ]; then
    make -s -j2 VARIANT=release BUILD=build build/redblue >log 2>&1
    ok "the tree builds again: $(head -3 log)" $?
    built=1
  fi
  # a document of its own for check-docs
  { echo '```console'; cat "$1"; echo '```'; } >session.md
  REDBLUE=$tree/build/redblue sh "$(dirname "$doc")/check-docs.sh" "$tree/session.md" >out 2>&1
  ok "the session $(head -1 "$1"): $(cat out)" $?
}
for step in steps/*.file steps/*.row steps/*.session; do echo "$step"; done | sort >order
while read -r step; do
  case $step in
  *.file) cp "$step" "$(cat "$step.to")"; built=0 ;;
  *.row) put_row "$step" "$(cat "$step.to")" "$(cat "$step.before")"; grep -qF "$(head -1 "$step")" "$(cat "$step.to")"; ok "the row of $(cat "$step.to")" $?; built=0 ;;
  *.session) session "$step" ;;
  esac
done <order
# what was added is what the tests want
make -s VARIANT=release BUILD=build build/release/tests/t_library >log 2>&1 && CK_VERBOSITY=normal build/release/tests/t_library >log 2>&1
ok "t_library after the recipes: $(head -3 log)" $?
echo "$passed passed, $failed failed"
[ $failed = 0 ]
