#!/bin/sh
# The site: a text becomes a page with its mathematics set and its links led to pages; a link to nowhere, and anything fetched from elsewhere, is found.
: "${REDBLUE:?}"
top=$(cd "$(dirname "$0")/.." && pwd)
case $REDBLUE in /*) ;; *) REDBLUE=$(pwd)/$REDBLUE ;; esac
if ! command -v pandoc > /dev/null || ! command -v python3 > /dev/null; then echo "skipped: the site wants pandoc and python3"; echo "0 passed, 0 failed"; exit 0; fi
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
has() { if grep -q -e "$2" "$1"; then ok; else bad "$1 without $2"; fi; }

python3 "$top/docs/site/build.py" "$REDBLUE" site --pages docs/course/07-attention.md || bad "a page is not made"
page=site/docs/course/07-attention.html
has $page '<em>n</em><sup>2</sup>'
has $page '<em>Q</em><sub>i</sub>'
has $page 'class="formula"'
has $page 'href="../theory-lp.html"'
has $page '\$ redblue count attention'
mkdir -p good; cp site/style.css good; printf '<link rel="stylesheet" href="style.css"><a href="b.html#x">b</a><a href="https://example.org">e</a>' > good/a.html; printf '<p id="x">' > good/b.html
check() { python3 "$top/docs/site/build.py" "$REDBLUE" good --check > said; }
if check; then ok; else bad "a good folder: $(cat said)"; fi
for wrong in '<a href="c.html">' '<a href="b.html#y">' '<img src="https://example.org/a.png">' '<link rel="stylesheet" href="https://example.org/a.css">' '<script src="//example.org/a.js"></script>'; do
  printf '%s' "$wrong" > good/c2.html
  if check; then bad "not found: $wrong"; else ok; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
