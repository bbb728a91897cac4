#!/bin/sh
# stale.sh [show] -- which entries of equivalent.txt name no place in the source: the function is gone, or has a guard more or
# less.  They excuse nothing any more; whether the new place is equivalent is to be asked again.  show: each entry with its line.
here=tests/mutation
entries() { grep -v '^#' $here/equivalent.txt; }
places=$(mktemp)
trap 'rm -f "$places"' EXIT
for file in $(entries | cut -f1 | sort -u); do
  [ ! -f "$file" ] || awk -f $here/sites.awk "$file" | awk -v file="$file" '
    BEGIN { while ((getline line < file) > 0) { sub(/^ */, "", line); said[++n] = line } }
    { print file "\t" $4 "\t" $5 " " $6 "\t" said[$1] }'
done >"$places"
if [ "$1" = show ]; then
  awk -F'\t' 'NR == FNR { said[$1 FS $2 FS $3] = $4; next } { print $0 (/^#/ ? "" : "\t" said[$0]) }' "$places" $here/equivalent.txt
  exit
fi
stale=$(awk -F'\t' 'NR == FNR { there[$1 FS $2 FS $3]; next } !/^#/ && !($0 in there)' "$places" $here/equivalent.txt)
[ -z "$stale" ] || echo "$stale"
count=$(printf '%s' "$stale" | grep -c '')
echo "$(($(entries | wc -l) - count)) passed, $count failed"
[ "$count" = 0 ]
