#!/bin/sh
# The verb lesson: the page is whole, small, and its data is JSON that no name can break out of.  `make check-browser` plays it in a browser.
: "${REDBLUE:?}"
case $REDBLUE in /*) ;; *) REDBLUE=$(pwd)/$REDBLUE ;; esac
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
code() { # WANTED ARGS...
  wanted=$1; shift
  "$REDBLUE" lesson "$@" > o 2> e; got=$?
  if [ "$got" = "$wanted" ]; then ok; else bad "lesson $*: exit $got, wanted $wanted: $(head -c 300 e)"; fi
}

code 0 attention:n=4,d=2 attenio -M 12 -o page.html
if [ "$(wc -c < page.html)" -lt 300000 ]; then ok; else bad "the page has $(wc -c < page.html) bytes"; fi
if grep -q '</html>' page.html && ! grep -q '@DATA@' page.html; then ok; else bad "the page is not whole"; fi
if grep -qE '(src|href)="?(https?:)?//|@import|url\(http' page.html; then bad "the page wants the network"; else ok; fi
code 0 attention:n=4,d=2 attenio -M 12
if cmp -s o page.html; then ok; else bad "standard output and -o differ"; fi

printf '%s\n' 'digraph g { "</script><script>alert(1)</script>" -> "a\"b'"'"'&<b>"; "x" -> "a\"b'"'"'&<b>"; }' > hostile.dot
code 0 hostile.dot -M 3 -o hostile.html
if grep -q '<script>alert' hostile.html; then bad "a name ends the script"; else ok; fi
[ "$(grep -o '<script' page.html | wc -l)" = "$(grep -o '<script' hostile.html | wc -l)" ] && ok || bad "a name adds a script"
if command -v python3 > /dev/null; then
  cat > data.py <<'P'
import json, re, sys
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S).group(1))
print(len(data["preds"]), len(data["moves"]), data["m"], (data.get("labels") or [""])[0])
P
  for page in page.html hostile.html; do python3 data.py $page > $page.txt 2>&1 || bad "$page: $(tail -1 $page.txt)"; done
  moves=$("$REDBLUE" moves attention:n=4,d=2 attenio -M 12 | wc -l)
  [ "$(cut -d' ' -f2,3 page.html.txt)" = "$moves 12" ] && ok || bad "the page's moves: $(cat page.html.txt), wanted $moves"
  [ "$(cat hostile.html.txt)" = '3 0 3 </script><script>alert(1)</script>' ] && ok || bad "names: $(cat hostile.html.txt)"
fi
code 0 attention:n=4,d=2 -M 12 --rules partial
code 4 matmul:m=100,n=100,k=1 -M 12
code 2 matmul:m=2,n=2,k=2 -M 12 --engine tile
code 2 matmul:m=2,n=2,k=2 resident -M 12 --engine both
code 4 attention:n=100,d=8 attenio -M 100 --rules partial
code 3 matmul:m=1M,n=1M,k=1M resident -M 4K   # more than a browser counts
# a large one: tiles, exact counts, a modest page
code 0 attention:n=131072,d=128 attenio -M 256K -o large.html
if [ "$(wc -c < large.html)" -lt 300000 ]; then ok; else bad "the large page has $(wc -c < large.html) bytes"; fi
if command -v python3 > /dev/null; then
  cat > sights.py <<'P'
import json, re, subprocess, sys
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S).group(1))
said = json.loads(subprocess.run(sys.argv[2:], capture_output=True, text=True).stdout)
total = lambda k: sum(t[k] for s in data["sights"] for t in s[8])
print(total(1) == said["loads"], total(2) == said["stores"], sum(s[5] for s in data["sights"]) == said["computes"], data["sights"][-1][7] == said["peak"],
      data["verdict"]["legal"] == said["legal"])
P
  for of in "attention:n=131072,d=128 attenio -M 256K" "matmul:m=4096,n=4096,k=4096 resident -M 4K" "attention-backward:n=4096,d=16 two-pass -M 8K" \
            "attention-causal:n=3000,d=8 attenio -M 1K" "syrk:n=3000,k=3 tiled -M 3000"; do
    code 0 $of -o l.html
    added=$(python3 sights.py l.html "$REDBLUE" verify $of --json 2>&1 | tail -1)
    if [ "$added" = 'True True True True True' ]; then ok; else bad "$of: the steps do not add up: $added"; fi
  done
fi
code 2 attention:n=4,d=2
code 3 attention:n=4,d=2 -M 12 -o no/such/folder/page.html

# several M on one page, from small to large; an M that is not one is refused
code 0 attention:n=4,d=2 attenio -M 16 --sweep M=12,20 -o sweep.html
[ "$(grep -o '"m":[0-9]*' sweep.html | head -3 | tr '\n' ' ')" = '"m":16 "m":12 "m":20 ' ] || [ "$(grep -o '"m": [0-9]*' sweep.html | head -3 | tr -d ' ' | tr '\n' ' ')" = '"m":16 "m":12 "m":20 ' ] \
  && ok || bad "the runs of a sweep"
code 2 attention:n=4,d=2 attenio -M 16 --sweep n=12,20
code 2 attention:n=500,d=4 attenio -M 200 --sweep M=220
code 3 attention:n=4,d=2 attenio -M 16 --sweep M=5

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
