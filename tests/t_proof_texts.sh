#!/bin/sh
# With the plain build only: the texts of the repository.
# Proofs in words stand beside their theorems, in bounds/*/NAME.txt: every section is told, in one place, and there every $place of it has a value.
awk '
FNR == 1 { tells(); sub(/^bounds\//, "", FILENAME); base = FILENAME; sub(/\.txt$/, "", base) }
FILENAME ~ /\.txt$/ && /^# / { key = base "/" substr($0, 3); text[key]++; next }
FILENAME ~ /\.txt$/ { while (match($0, /\$\(?[A-Za-z0-9_]+/)) { p = substr($0, RSTART, RLENGTH); gsub(/[$(]/, "", p); place[key " " p]; $0 = substr($0, RSTART + RLENGTH) } next }
{ code = code " " $0 }
# of a file at a time: one text of all is copied a thousand times
function tells(  call, key, n, i, v, w) {
  while (match(code, /proof_tell\([^"]*"[^"]*",[ ]*"[^;]*;/)) {
    call = substr(code, RSTART, RLENGTH); code = substr(code, RSTART + RLENGTH)
    sub(/^[^"]*"/, "", call); key = call; sub(/".*/, "", key); told[key]++
    sub(/^[^"]*",[ ]*"/, "", call); gsub(/" +"/, "", call); sub(/".*/, "", call)
    n = split(call, v, ", ")
    for (i = 1; i <= n; i++) { split(v[i], w, " "); value[key " " w[1]] }
  }
  code = ""
}
END {
  tells()
  for (k in text) told[k] == 1 && text[k] == 1 ? passed++ : bad(k " is a section " text[k] " times and told " told[k] + 0 " times")
  for (k in told) if (!(k in text)) bad(k " is told, and no text")
  for (p in place) p in value ? passed++ : bad(p ": a place without a value")
  for (p in value) if (!(p in place)) bad(p ": a value without a place")
  print passed + 0 " passed, " failed + 0 " failed"
  exit failed > 0
}
function bad(what) { print "FAILED: " what; failed++ }' bounds/*/*.txt bounds/*/*.c
