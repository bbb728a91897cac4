#!/bin/sh
# With the plain build only: the texts of the repository.
# The newcomer's walks of docs/architecture.md: each stop is a function of the file it names, and leads to the next stop: its name stands in the
# function's body, or in that of a function of the same file which it calls in turn.  Where the call goes through a pointer, the stop says
# (through `name`): the bodies name the pointer, and the next function's address is taken somewhere.
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }
# reached FILE FUNCTION: the bodies of the function and of those of its file that it calls in turn; nothing when FILE does not define it
reached() {
  awk -v start="$2" '
    !inside && /^[a-z].*[a-z_0-9]+\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); head = 1 }
    head && /;[ \t]*$/ && !/\{/ { head = 0 }
    head && /\{/ { inside = 1; head = 0; whole = /\}[ \t]*$/ && /^[a-z]/ }
    inside { line = $0; gsub(/"([^"\\]|\\.)*"/, "", line); if (!/^[a-z]/ || whole) body[name] = body[name] " " line; else body[name] = body[name] " " }
    inside && (/^\}/ || whole) { inside = 0; whole = 0 }
    END {
      if (!(start in body)) exit
      todo[n = 1] = start; seen[start] = 1
      for (i = 1; i <= n; i++) {
        print body[todo[i]]
        words = split(body[todo[i]], w, /[^a-zA-Z0-9_]+/)
        for (k = 1; k <= words; k++) if (w[k] in body && !seen[w[k]]) { seen[w[k]] = 1; todo[++n] = w[k] }
      }
    }' "$1"
}
stops=$(mktemp); trap 'rm -f "$stops"' EXIT
awk '/^## / { walks = /walk/ } walks && /^[0-9]+\. `/' docs/architecture.md |
  sed 's/^\([0-9]*\)\. `\([^`]*\)` `\([^`]*\)`/\1 \2 \3 /; /(through `/!s/$/ (through `-`)/; s/^\([^ ]* [^ ]* [^ ]*\).*(through `\([^`]*\)`).*/\1 \2/' >"$stops"
walks=0 bodies='' by=- last=0
while read -r number file name through; do
  if [ ! -f "$file" ]; then bad "$file is not there"; continue; fi
  if [ "$number" = 1 ]; then walks=$((walks + 1))
  elif [ "$number" != $((last + 1)) ] || [ "$number" -gt 8 ]; then bad "$name is stop $number"
  elif [ "$by" = - ]; then
    if echo "$bodies" | grep -qw -- "$name"; then ok; else bad "stop $last does not lead to $file, $name"; fi
  elif echo "$bodies" | grep -qw -- "$by" && grep -qE "\\b$name\\b *[,;})]" "$file"; then ok
  else bad "stop $last does not lead to $file, $name through $by"; fi
  bodies=$(reached "$file" "$name") by=$through last=$number
  if [ -n "$bodies" ]; then ok; else bad "$file does not define $name"; fi
done <"$stops"
if [ $walks = 4 ]; then ok; else bad "$walks walks"; fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
