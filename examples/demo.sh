#!/bin/sh
# demo.sh -- what redblue does, on a real attention layer: a bound, a played schedule, the gap between them.
R=${REDBLUE:-build/redblue}
SPEC=attention:n=8192,d=128
M=256K
say() { printf '\n%s\n\n' "$1"; }
run() { printf '  $ redblue'; printf ' %s' "$@"; printf '\n'; "$R" "$@" | sed 's/^/  /'; }

say "1. The computation: exact attention of 8192 tokens with heads 128 wide, as a graph of multiply-adds."
run cdag $SPEC
say "2. A lower bound: whatever the schedule, with 256K words of fast memory at least so many words must move."
run bound $SPEC -M $M
say "3. A schedule, played move by move by the referee: keep query rows with their outputs, stream the keys and values."
run verify $SPEC attenio -M $M
say "4. The same schedule with its best block size, and its I/O as a formula."
run tune $SPEC attenio -M $M
run count $SPEC attenio -M $M --formula
say "5. What a mistake looks like: the same schedule with one row too many."
printf '  $ redblue verify attention:n=8,d=2 attenio:a=5 -M 20\n'
"$R" verify attention:n=8,d=2 attenio:a=5 -M 20 2>&1 | sed 's/^/  /'
say "Next: build/redblue --help, README.md, docs/course/."
