#!/bin/sh
# With the plain build only: what its objects define and use.
# A function that is no file's own is used by another file, of the program or of a test; else it is static.  Let off: the library's
# interface (report/redblue.h), and values whose kit is whole by meaning.
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
nm "$OBJ/libredblue.a" 2>/dev/null >"$work/library"
nm "$OBJ"/cli/*.o "$OBJ"/tests/*.o 2>/dev/null | cat - "$work/library" | awk 'NF > 1 && $(NF - 1) == "U" { print $NF }' | sort -u >"$work/used"
awk 'NF > 1 && $(NF - 1) == "T" { print $NF }' "$work/library" | sort -u | comm -23 - "$work/used" |
  grep -v -E '^(redblue_.*|json_.*|polynomial_.*)$' >"$work/unused"
sed 's/$/ is used in its own file only: make it static, or let it go/' "$work/unused"
[ -s "$work/used" ] && [ ! -s "$work/unused" ] && echo "1 passed, 0 failed" && exit
echo "0 passed, 1 failed"
exit 1
