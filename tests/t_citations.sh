#!/bin/sh
# With the plain build only: the texts of the repository.
# Whoever cites "docs/X.md, section N" means the section with that title: of each file its theorem's, of each record of bound its own.
# A title that is quoted (docs/X.md, "Title", or section "Title") is a heading there.
# OBJ and REDBLUE as in tests/run.sh.
list=$(mktemp) quoted=$(mktemp); trap 'rm -f "$list" "$quoted"' EXIT
grep -roE 'docs/[a-z-]+\.md, sections? [0-9]+( and [0-9]+)?' --include='*.[ch]' --include='*.txt' --include='*.sched' --include='*.cdag' --include='*.sh' \
  bounds cdag pebble schedules report cli tests examples base | sed 's|^|./|' > "$list"
"$REDBLUE" bounds | sed -n 's/^\([a-z][^ ]*\).*/\1/p; s/^  source: //p' | awk '/docs\// { print name ":" $0; next } { name = $1 }' >> "$list"
for spec in attention:n=40,d=4 matmul:m=9,n=9,k=9 attention-backward:n=20,d=2 cholesky:n=9 stencil:w=40,t=9; do
  "$REDBLUE" bound "$spec" -M 20 --lower --json | grep -o '"name": "[a-z0-9-]*", "value"[^}]*"source": "[^"]*"' | sed 's/^"name": "\([a-z0-9-]*\)".*"source": "\(.*\)"$/\1:\2/' >> "$list"
done
grep -roE 'docs/[a-z-]+\.md, (section )?"[^"]+"' --include='*.[ch]' --include='*.txt' --include='*.sched' --include='*.cdag' --include='*.sh' --include='*.md' \
  bounds cdag pebble schedules report cli tests examples base docs > "$quoted"
# One process reads it all: a shell that asks sed and grep for every citation starts thousands.
awk -v sections="$list" '
# who cites = what the title must say (an extended expression); a file by its path, a record by its name: of globs the first that fits
BEGIN {
  while ((getline row < "/dev/stdin") > 0) {
    split(row, part, " = "); gsub(/\./, "\\.", part[1]); gsub(/\*/, ".*", part[1])
    glob[++rules] = "^(" part[1] ")$"; says[rules] = part[2]
  }
}
function meant(who,   i) { for (i = 1; i <= rules; i++) if (who ~ glob[i]) return says[i]; return "." }
function bad(what) { failed++; print "FAILED: " what }
function cite(who, doc, number,   title) {
  if (!((doc, number) in titled)) bad(who " cites docs/" doc ".md, section " number ", which is not there")
  else if ((title = titled[doc, number]) ~ meant(who)) passed++
  else bad(who " cites docs/" doc ".md, section " number ", \"" title "\"")
}
FILENAME ~ /^docs\// { # headings
  if (/^##?#? /) there[FILENAME, $0] = 1
  if (match($0, /^## [0-9]+\. /)) {
    doc = FILENAME; gsub(/^docs\/|\.md$/, "", doc); number = substr($0, 4, RLENGTH - 5)
    if (!((doc, number) in titled)) titled[doc, number] = substr($0, RLENGTH + 1)
  }
  next
}
{ at = index($0, ":"); who = substr($0, 1, at - 1); what = substr($0, at + 1) }
FILENAME == sections {
  if (!match(what, /.*docs\/[a-z-]*\.md, section/)) next
  doc = substr(what, 1, RLENGTH); sub(/.*docs\//, "", doc); sub(/\.md.*/, "", doc)
  sub(/.*sections* /, "", what); sub(/ and /, " ", what)
  if (match(what, /^[0-9]+( [0-9]+)?/)) {
    n = split(substr(what, 1, RLENGTH), numbers, " ")
    for (i = 1; i <= n; i++) cite(who, doc, numbers[i])
  }
  next
}
index(what, "docs/X.md") == 0 { # but that is how to cite
  doc = what; sub(/,.*/, "", doc); title = what; sub(/^[^"]*"/, "", title); sub(/"$/, "", title)
  if ((doc, "# " title) in there || (doc, "## " title) in there || (doc, "### " title) in there) passed++
  else bad(who " cites " doc ", \"" title "\", which is no heading there")
}
END {
  if (passed + failed <= 100) bad("only " passed + failed " citations found")
  print passed + 0 " passed, " failed + 0 " failed"
  exit failed > 0
}' docs/*.md "$list" "$quoted" <<'RULES'
*/segment.h = Segments|Reductions|one product|Two products|Three ways
*/segment/small.c = Two products|Three ways
*/segment/product.c|product-segment = Reductions
*/segment/attention.c|attention-segment = one product
attention-two-products = Two products
attention-three-way = Three ways
*compulsory* = Compulsory
*lines*|*stencil* = Stencils
*elimination* = Cholesky
*pyramids* = Grids
*/grid.[ch] = Grids|what they serve
*crossings* = what they serve
*fft* = FFT|Spectra
*wavefront* = Wavefronts|Dominators
*spectral*|*/inertia* = Spectra
*partition* = S-partitions
*/polyhedral/pieces* = normal form
*pieces* = Pieces
*lowrank*|*/*features*.[ch]|*/monomials.[ch]|features = dense features
*/block*.[ch]|*/t_bound_block.c|block-approximate = Block-approximate
*/*gradient*.[ch]|*/gradient_bound.txt|attention-gradient = gradient
*projective* = projective
*backward* = backward
*cover* = Segments|covering LP|checked on the description|backward
*/affine/find.h = found
*/cdag/graph/graph.h = Compulsory
RULES
