#!/bin/sh
# embed.sh FILE... -- the files as C: a table of path and bytes, read through base/embed.h.
echo '#include "base/embed.h"'
i=0
for f in "$@"; do
  printf 'static const char text_%d[] =\n' $i
  sed -e 's/\\/\\\\/g; s/"/\\"/g; s/^/  "/; s/$/\\n"/' "$f"
  # an empty file still needs a string
  [ -s "$f" ] || printf '  ""\n'
  printf ';\n'
  i=$((i + 1))
done
echo 'const embedded_file embedded_files[] = {'
i=0
for f in "$@"; do
  printf '  { "%s", text_%d, sizeof text_%d - 1 },\n' "$f" $i $i
  i=$((i + 1))
done
echo '  { 0, 0, 0 } };'
