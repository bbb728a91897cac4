#!/bin/sh
# With the plain build only: the texts of the repository.
# Whoever cites "docs/X.md, section N" means the section with that title: of each file its theorem's, of each record of bound its own.
# A title that is quoted (docs/X.md, "Title", or section "Title") is a heading there.
# OBJ and REDBLUE as in tests/run.sh.
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }
title() { sed -n "s/^## $2\. //p" "docs/$1.md" | head -1; } # document, number
# who cites -> what the title must say (an extended expression); a file by its path, a record by its name
meant() {
  case $1 in
  */segment.h) echo 'Segments|Reductions|one product|Two products|Three ways' ;;
  */segment/small.c) echo 'Two products|Three ways' ;;
  */segment/product.c | product-segment) echo 'Reductions' ;;
  */segment/attention.c | attention-segment) echo 'one product' ;;
  attention-two-products) echo 'Two products' ;;
  attention-three-way) echo 'Three ways' ;;
  *compulsory*) echo 'Compulsory' ;;
  *lines* | *stencil*) echo 'Stencils' ;;
  *elimination*) echo 'Cholesky' ;;
  *pyramids*) echo 'Grids' ;;
  */grid.[ch]) echo 'Grids|what they serve' ;;
  *crossings*) echo 'what they serve' ;;
  *fft*) echo 'FFT|Spectra' ;;
  *wavefront*) echo 'Wavefronts|Dominators' ;;
  *spectral* | */inertia*) echo 'Spectra' ;;
  *partition*) echo 'S-partitions' ;;
  */polyhedral/pieces*) echo 'normal form' ;;
  *pieces*) echo 'Pieces' ;;
  *lowrank* | */*features*.[ch] | */monomials.[ch] | features) echo 'dense features' ;;
  */block*.[ch] | */t_bound_block.c | block-approximate) echo 'Block-approximate' ;;
  */*gradient*.[ch] | */gradient_bound.txt | attention-gradient) echo 'gradient' ;;
  *projective*) echo 'projective' ;;
  *backward*) echo 'backward' ;;
  *cover*) echo 'Segments|covering LP|checked on the description|backward' ;;
  */affine/find.h) echo 'found' ;;
  */cdag/graph/graph.h) echo 'Compulsory' ;;
  *) echo '.' ;; # exists at all
  esac
}
cite() { # who, document, number
  found=$(title "$2" "$3")
  if [ -z "$found" ]; then bad "$1 cites docs/$2.md, section $3, which is not there"; return; fi
  if echo "$found" | grep -Eq "$(meant "$1")"; then ok; else bad "$1 cites docs/$2.md, section $3, \"$found\""; fi
}
list=$(mktemp); trap 'rm -f "$list"' EXIT
grep -roE 'docs/[a-z-]+\.md, sections? [0-9]+( and [0-9]+)?' --include='*.[ch]' --include='*.txt' --include='*.sched' --include='*.cdag' --include='*.sh' \
  bounds cdag pebble schedules report cli tests examples base | sed 's|^|./|' > "$list"
"$REDBLUE" bounds | sed -n 's/^\([a-z][^ ]*\).*/\1/p; s/^  source: //p' | awk '/docs\// { print name ":" $0; next } { name = $1 }' >> "$list"
for spec in attention:n=40,d=4 matmul:m=9,n=9,k=9 attention-backward:n=20,d=2 cholesky:n=9 stencil:w=40,t=9; do
  "$REDBLUE" bound "$spec" -M 20 --json | grep -o '"name": "[a-z0-9-]*", "value"[^}]*"source": "[^"]*"' | sed 's/^"name": "\([a-z0-9-]*\)".*"source": "\(.*\)"$/\1:\2/' >> "$list"
done
while IFS=: read -r who what; do
  doc=$(echo "$what" | sed -n 's|.*docs/\([a-z-]*\)\.md, section.*|\1|p')
  [ -n "$doc" ] || continue
  for n in $(echo "$what" | sed 's/.*sections* //; s/ and / /' | grep -oE '^[0-9]+( [0-9]+)?'); do cite "$who" "$doc" "$n"; done
done < "$list"
grep -roE 'docs/[a-z-]+\.md, (section )?"[^"]+"' --include='*.[ch]' --include='*.txt' --include='*.sched' --include='*.cdag' --include='*.sh' --include='*.md' \
  bounds cdag pebble schedules report cli tests examples base docs > "$list"
while IFS=: read -r who what; do
  case $what in *docs/X.md*) continue ;; esac # that is how to cite
  doc=${what%%,*} quoted=$(echo "$what" | sed 's/^[^"]*"//; s/"$//')
  if [ -f "$doc" ] && grep -qxF -e "# $quoted" -e "## $quoted" -e "### $quoted" "$doc"; then ok; else bad "$who cites $doc, \"$quoted\", which is no heading there"; fi
done < "$list"
[ $((passed + failed)) -gt 100 ] || bad "only $((passed + failed)) citations found"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
