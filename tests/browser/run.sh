#!/bin/sh
# The pages in headless Chromium: tests/browser/*.mjs, each NAME.mjs REDBLUE FOLDER.  OBJ: where the program is.
top=$(cd "$(dirname "$0")/../.." && pwd)
: "${OBJ:?}"
case $OBJ in /*) ;; *) OBJ=$(pwd)/$OBJ ;; esac
if ! command -v node > /dev/null || { ! [ -x /usr/bin/chromium ] && ! [ -x /usr/bin/chromium-browser ]; } || ! [ -d "$top/tests/browser/node_modules/playwright-core" ]; then
  echo "the pages in a browser want node, chromium, and npm install in tests/browser" >&2
  exit 1
fi
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
failed=0
# a part is a file's name, or a test of the lesson
pages="$top/tests/browser/*.mjs"
if [ -f "$top/tests/browser/$1.mjs" ]; then pages="$top/tests/browser/$1.mjs"; shift; elif [ -n "$1" ]; then pages="$top/tests/browser/lesson.mjs"; fi
# at the same time, each in a folder of its own; what they say one after the other
for page in $pages; do
  name=$(basename "$page" .mjs)
  mkdir "$dir/$name"
  { timeout 1200 node "$page" "$OBJ/redblue" "$dir/$name" "$@" > "$dir/$name.said" 2>&1; echo $? > "$dir/$name.code"; } &
done
wait
for code in "$dir"/*.code; do
  echo "$(basename "$code" .code):"
  cat "${code%.code}.said"
  [ "$(cat "$code")" = 0 ] || failed=1
done
exit $failed
