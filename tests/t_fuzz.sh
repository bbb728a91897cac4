#!/bin/sh
# The fuzz targets with the plain main: every file of the small corpus, then some mutations of them.  `make fuzz` goes further.
passed=0; failed=0
: "${OBJ:?}" "${ROUNDS:=1}"
for folder in tests/fuzz/corpus/*; do
  name=$(basename "$folder")
  log=$OBJ/logs/fuzz-$name
  if "$OBJ/fuzz/$name" "$folder"/* >"$log" 2>&1 </dev/null && "$OBJ/fuzz/$name" -runs=$((300 * ROUNDS)) -max_total_time=20 -seed=1 "$folder" \
    "tests/fuzz/words/$name.dict" "$log.last" >>"$log" 2>&1 </dev/null; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name: see $log.last"
    tail -n 20 "$log"
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
