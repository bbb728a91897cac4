#!/bin/sh
# redblue bound --io: what it forbids a bound forbids, what it says is enough a play shows.
passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
field() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"; }
best() { sed -n 's/.*"best": {"name": "[a-z0-9-]*", "value": \([0-9]*\).*/\1/p'; }
try() { # SPEC WORDS
  a=$("$REDBLUE" bound "$1" --io "$2" --json)
  m=$(echo "$a" | field needed); e=$(echo "$a" | field enough); play=$(echo "$a" | sed 's/.*"play": "\([^,]*\), .*/\1/'); io=$(echo "$a" | sed 's/.*"play": "[^,]*, \([0-9]*\)".*/\1/')
  ok "$1 $2: one less is forbidden" "$([ "$("$REDBLUE" bound "$1" -M $((m - 1)) --json | best)" -gt "$2" ] && echo yes)" yes
  ok "$1 $2: the bound allows it" "$([ "$("$REDBLUE" bound "$1" -M "$m" --json | best)" -le "$2" ] && echo yes)" yes
  ok "$1 $2: as a column" "$("$REDBLUE" table --spec "$1" --sweep M=9 --columns "memory($2)" --format csv | sed -n '2s/.*,\([0-9]*\),[^,]*$/\1/p')" "$m"
  ok "$1 $2: enough is not less" "$([ "$e" -ge "$m" ] && [ "$io" -le "$2" ] && echo yes)" yes
  ok "$1 $2: the play" "$("$REDBLUE" tune "$1" "$play" -M "$e" --json | field io)" "$io"
}
try matmul:m=4,n=4,k=4 90
try matvec:m=8,n=8 100
"$REDBLUE" bound matvec:m=8,n=8 --io 79 > /dev/null; ok "below the compulsory moves" $? 1
ok "at the compulsory moves" "$("$REDBLUE" bound matvec:m=8,n=8 --io 80 --json | sed 's/.*"possible": \([a-z]*\).*/\1/')" true
"$REDBLUE" bound matvec:m=8,n=8 --io x > /dev/null 2>&1; ok "no number" $? 2
"$REDBLUE" bound matvec:m=8,n=8 --io 512 -M 9 > /dev/null 2>&1; ok "M is what is asked" $? 2
echo "$passed passed, $failed failed"; [ $failed = 0 ]
