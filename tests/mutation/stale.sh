#!/bin/sh
# stale.sh -- which entries of equivalent.txt speak of no place in the source: the line has changed, or moved within itself.  They excuse
# nothing any more; whether the new line is equivalent is to be asked again.
here=tests/mutation
entries() { grep -v '^#' $here/equivalent.txt; }
places=$(mktemp)
trap 'rm -f "$places"' EXIT
for file in $(entries | cut -f1 | sort -u); do
  [ ! -f "$file" ] || awk -f $here/sites.awk "$file" | awk -v file="$file" '
    BEGIN { while ((getline line < file) > 0) { sub(/^ */, "", line); said[++n] = line } }
    { print file "\t" $3 "\t" said[$1]; print file "\t" $3 "@" $2 "\t" said[$1] }'
done >"$places"
stale=$(entries | grep -vxF -f "$places")
[ -z "$stale" ] || echo "$stale"
count=$(printf '%s' "$stale" | grep -c '')
echo "$(($(entries | wc -l) - count)) passed, $count failed"
[ "$count" = 0 ]
