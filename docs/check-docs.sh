#!/bin/sh
# check-docs.sh [FILE...] -- run every example of the documents and compare what it prints.
# In a ```console fence a line "$ command" is run by sh, with the built redblue on the PATH, in a folder of its own per
# document; the lines after it, up to the next "$ " or the end of the fence, are what it must print on stdout and
# stderr.  A line "..." stands for any lines; a command ending in "\" goes on with the next line.  A ```file NAME fence
# writes NAME there first.  The folder holds a link to examples/.
top=$(cd "$(dirname "$0")/.." && pwd)
: "${REDBLUE:=$top/build/redblue}"
bin=$(mktemp -d); ln -s "$REDBLUE" "$bin/redblue"
PATH=$bin:$PATH; export PATH
ran=0; failed=0
[ $# -gt 0 ] || set -- "$top/README.md" "$top"/docs/*.md "$top"/docs/course/*.md "$top"/docs/course/slides/*.md "$top"/docs/course/solutions/*.md
for doc in "$@"; do
  [ -f "$doc" ] || continue
  dir=$(mktemp -d)
  [ -d "$top/examples" ] && ln -s "$top/examples" "$dir/examples"
  # one file per step: N.cmd, N.want and N.line, or N.put (a name) and N.body
  awk -v dir="$dir" '
    function path(kind) { return sprintf("%s/.step%04d.%s", dir, n, kind) }
    /^```console/ { fence = 1; cmd = 0; next }
    /^```file / { fence = 2; n++; print $2 > path("put"); body = path("body"); printf "" > body; next }
    /^```/ { fence = 0; cmd = 0; next }
    fence == 2 { print > body }
    fence == 1 && more { sub(/^> /, ""); print > path("cmd"); more = /\\$/; next }
    fence == 1 && /^\$ / { n++; cmd = 1; print FNR > path("line"); printf "" > path("want"); print substr($0, 3) > path("cmd"); more = /\\$/; next }
    fence == 1 && cmd { print > path("want") }
  ' "$doc"
  for step in "$dir"/.step*.put "$dir"/.step*.cmd; do [ -f "$step" ] && echo "$step"; done | sort | while read -r step; do
    base=${step%.*}
    case $step in
    *.put) cp "$base.body" "$dir/$(cat "$step")" ;;
    *.cmd)
      (cd "$dir" && sh "$step" < /dev/null > "$base.got" 2>&1)
      if awk -v want="$base.want" '
          BEGIN { while ((getline line < want) > 0) w[++nw] = line }
          { g[++ng] = $0 }
          # do wanted lines from i fit the lines got from j, "..." being any run of lines
          function fits(i, j,   k) {
            if (i > nw) return j > ng
            if (w[i] == "...") { for (k = j; k <= ng + 1; k++) if (fits(i + 1, k)) return 1; return 0 }
            return j <= ng && w[i] == g[j] && fits(i + 1, j + 1)
          }
          END { exit !fits(1, 1) }' "$base.got"; then
        echo ok >> "$dir/.ok"
      else
        echo "$doc:$(cat "$base.line"): the output is not what the document shows"
        diff "$base.want" "$base.got"
        echo bad >> "$dir/.bad"
      fi ;;
    esac
  done
  # a picture that is shown is the one that a command of the document draws; REDRAW=yes: it becomes that
  grep -o '!\[[^]]*\]([^)]*)' "$doc" | sed 's/.*(\(.*\))/\1/' | while read -r picture; do
    drawn=$dir/${picture##*/} shown=$(dirname "$doc")/$picture
    [ -z "$REDRAW" ] || cp "$drawn" "$shown"
    if cmp -s "$drawn" "$shown"; then
      echo ok >> "$dir/.ok"
    else
      echo "$doc: $picture is not what a command of the document draws (REDRAW=yes sh docs/check-docs.sh $doc)"
      echo bad >> "$dir/.bad"
    fi
  done
  [ -f "$dir/.ok" ] && ran=$((ran + $(wc -l < "$dir/.ok")))
  [ -f "$dir/.bad" ] && failed=$((failed + $(wc -l < "$dir/.bad")))
  rm -rf "$dir"
done
rm -rf "$bin"
echo "$ran passed, $failed failed"
[ $failed = 0 ]
