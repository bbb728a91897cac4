#!/bin/sh
# The machine misbehaves: no memory left, a full disk, a closed pipe, short reads, an interrupt, clocks that jump, limits of time and
# memory.  Each ends in a sentence and the right exit code, and nothing that was done is lost.
: "${REDBLUE:?}" "${OBJ:?}" "${ROUNDS:=1}"
passed=0; failed=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
here=$(pwd)
cd "$work" || exit 1

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "$*"; }
# expect CODE WHAT: the last run ended with CODE, and with a sentence on stderr unless CODE is 0
expect() {
  if [ "$code" != "$1" ]; then bad "$2: exit $code, not $1: $(head -3 err)"
  elif [ "$1" != 0 ] && ! grep -q '^redblue: ..........' err; then bad "$2: exit $1 without a sentence"
  else good; fi
}

"$REDBLUE" bound matmul:m=8,n=8,k=8 -M 16 --certificate cert.json >out 2>err || bad "no certificate"
"$REDBLUE" cdag matmul:m=2,n=3,k=2 --format cdag >mm.cdag; "$REDBLUE" cdag pyramid:h=4 --format edges >p.edges
"$REDBLUE" moves tree:h=3 depth-first -M 6 >tree.moves; "$REDBLUE" moves tree:h=3 depth-first -M 6 --format compact >tree.bytes
cat >verbs <<'V'
cdag attention:n=4,d=2
cdag p.edges --format graphml
cdag mm.cdag --json
verify attention:n=6,d=2 attenio -M 20 --json
verify tree:h=3 tree.moves -M 6
verify matmul:m=4,n=4,k=4 tiled -M 20 --engine both
count attention:n=8,d=2 attenio -M 20 --formula
tune attention:n=30,d=2 attenio -M 40
bound attention:n=2,d=1 -M 8 --proof
bound grid:r=4,c=4 -M 4 --json
bound attention-backward:n=2,d=1 -M 8
optimal pyramid:h=3 -M 4
schedule grid:r=4,c=4 -M 4 --limit-time 0.2
moves matmul:m=2,n=2,k=2 naive -M 6
moves tree:h=3 tree.moves -M 6 --format compact
verify tree:h=3 tree.bytes -M 6
table --spec attention --sweep d=2,4 --columns bound,io(attenio) --sweep n=8 --sweep M=40
time attention:n=64,d=4 attenio -M 100 --machine attenio
lesson grid:r=2,c=3 rows -M 4
plot matmul:m=8,n=8,k=8 --sweep M=20,30
draw tree:h=3 depth-first -M 6 --at 5
check cert.json
play grid:r=2,c=2 -M 3
families
schedules
bounds
machines
degree 1 0.001 8
man verify
completion
V

# every verb that prints is in the list
for v in $(sed -n 's/^const cli_verb cli_verb_\([a-z]*\) .*/\1/p' "$here"/cli/verb_*.c); do
  if grep -q "^$v\b" verbs; then good; else bad "the verb $v is not tried"; fi
done

# ---- no memory: the k-th allocation fails, whoever asks for it ----

preload=$work/preload.so
if ldd "$REDBLUE" | grep -q -e asan -e ubsan || ! ${CC:-cc} -shared -fPIC -O1 -o "$preload" "$here/tests/faults/preload.c" 2>err; then
  echo "allocation failures and clocks are not tried in this build"
else
  while read -r line; do
    # shellcheck disable=SC2086
    FAULT_COUNT=$work/count LD_PRELOAD=$preload "$REDBLUE" $line >out 2>err </dev/null
    plain=$? n=$(cat count)
    # Not tried: the later allocations of plot.  They are those of fontconfig, below cairo, which tries for ever when it gets nothing at all and crashes when a block
    # is wanting while it matches a font; that code is not ours to mend, and no answer is printed before.  There, only the one allocation fails, and an early one.
    case $line in plot*) shares="0 300"; export FAULT_ONCE=1 ;; *) shares="0 3 60 250 800"; [ "$ROUNDS" = 1 ] || shares="$shares 1 10 100 500 990" ;; esac
    for share in $shares; do
      for step in $(seq 1 "$ROUNDS"); do
        k=$share; [ "$share" -lt 100 ] || k=$((n * share / 1000 + step - 1))
        # shellcheck disable=SC2086
        FAULT_ALLOC=$k LD_PRELOAD=$preload timeout 60 "$REDBLUE" $line >out 2>err </dev/null
        code=$?
        case $code in
        "$plain") good ;; # it could do without that block
        3 | 4) expect $code "allocation $k of $line" ;;
        *) bad "allocation $k of $n fails: exit $code from redblue $line: $(head -2 err)" ;;
        esac
      done
    done
  done <verbs
  unset FAULT_ONCE
fi

# ---- the disk is full, the pipe is closed ----

while read -r line; do
  case $line in "bound attention"*) continue ;; esac # they print as the grid's bound does, and take half of the time of all lines
  # shellcheck disable=SC2086
  "$REDBLUE" $line >/dev/full 2>err </dev/null; code=$?
  expect 3 "full disk: $line"
  # shellcheck disable=SC2086
  { sleep 0.05; "$REDBLUE" $line 2>err </dev/null; echo $? >code; } | true # by then nobody reads
  code=$(cat code)
  [ "$code" = 0 ] || expect 3 "closed pipe: $line"
done <verbs
for out in "bound matmul:m=8,n=8,k=8 -M 16 --certificate" "optimal pyramid:h=3 -M 4 --moves" "schedule grid:r=3,c=3 -M 4 --limit-time 1 --moves" \
  "moves tree:h=3 tree.moves -M 6 -o" "moves tree:h=3 tree.moves -M 6 --format compact -o" \
  "table --spec dot --sweep k=2,3 --sweep M=4 --columns bound -o" "lesson grid:r=2,c=3 rows -M 4 -o" "plot matmul:m=8,n=8,k=8 --sweep M=20,30 -o"; do
  for to in /dev/full /nowhere/at/all .; do
    [ "$to" = /dev/full ] && case $out in plot*) to=full.svg; ln -sf /dev/full full.svg ;; esac
    # shellcheck disable=SC2086
    "$REDBLUE" $out $to >out 2>err </dev/null; code=$?
    case $code in
    2) case $out in plot*) expect 2 "$out $to" ;; *) bad "$out $to: exit 2: $(cat err)" ;; esac ;;
    *) expect 3 "$out $to" ;;
    esac
  done
done

# ---- reading: in single bytes, from a folder, from nothing ----

slowly() { dd ibs=1 obs=1 if="$1" 2>/dev/null; }
same() { # the last output is that of reading it at once
  if [ "$code" = 0 ] && cmp -s out plain; then good; else bad "in single bytes: $1 differs (exit $code: $(head -1 err))"; fi
}
"$REDBLUE" cdag - <mm.cdag >plain; slowly mm.cdag | "$REDBLUE" cdag - >out 2>err; code=$?; same cdag
"$REDBLUE" cdag - <p.edges >plain; slowly p.edges | "$REDBLUE" cdag - >out 2>err; code=$?; same edges
"$REDBLUE" verify tree:h=3 - -M 6 <tree.moves >plain; slowly tree.moves | "$REDBLUE" verify tree:h=3 - -M 6 >out 2>err; code=$?; same list
slowly tree.bytes | "$REDBLUE" verify tree:h=3 - -M 6 >out 2>err; code=$?; same "list in bytes"
"$REDBLUE" check - <cert.json >plain; slowly cert.json | "$REDBLUE" check - >out 2>err; code=$?; same certificate
sweep="table --spec attention --sweep d=2 --sweep n=8,9 --sweep M=40 --columns bound,io(attenio) --format csv"
if [ -f "$preload" ]; then
  # shellcheck disable=SC2086
  { "$REDBLUE" $sweep >plain; FAULT_READ=1 LD_PRELOAD=$preload "$REDBLUE" $sweep --jobs 2 >out 2>err; code=$?; same sweep; }
fi
for what in "cdag . " "cdag ./nothing.cdag" "verify dot:k=2 ./nothing.sched -M 4" "verify dot:k=2 . -M 4" "check ." "check ./nothing" "table ." "table ./nothing"; do
  # shellcheck disable=SC2086
  "$REDBLUE" $what >out 2>err </dev/null; code=$?
  expect 3 "$what"
done
for what in "cdag -" "check -"; do
  # shellcheck disable=SC2086
  "$REDBLUE" $what >out 2>err </dev/null; code=$?
  expect 3 "nothing on standard input: $what"
done

# ---- an interrupt in a sweep: what is done is there, the rest is done later ----

long="table --spec matmul --sweep k=2,4 --sweep m=8..12+1 --sweep n=8 --sweep M=40,60 --columns bound,io(naive) --format csv -q"
# shellcheck disable=SC2086
"$REDBLUE" $long >whole.csv
interrupt() { # JOBS
  rm -f part.csv
  # in a shell, a program started with & ignores SIGINT: sh -c 'exec' through env --default-signal gives it back
  # shellcheck disable=SC2086
  env --default-signal=INT "$REDBLUE" $long --jobs "$1" -o part.csv >out 2>err &
  pid=$!
  while [ "$(cat part.csv 2>/dev/null | wc -l)" -lt 5 ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
  kill -INT $pid
  wait $pid
  code=$?
  rows=$(wc -l <part.csv)
  if [ $code = 0 ] && cmp -s part.csv whole.csv; then good; return; fi # it was quicker
  expect 4 "interrupted sweep of $1"
  if head -n "$rows" whole.csv | cmp -s - part.csv; then good; else bad "an interrupted sweep of $1 is no beginning of the whole"; fi
  # shellcheck disable=SC2086
  "$REDBLUE" $long --resume part.csv -o part.csv 2>err; code=$?
  expect 0 "resumed sweep of $1"
  if cmp -s part.csv whole.csv; then good; else bad "a resumed sweep of $1 differs from the whole"; fi
}
if env --default-signal=INT true 2>/dev/null; then interrupt 1; interrupt 2; fi
# shellcheck disable=SC2086
"$REDBLUE" $long --limit-time 0.1 -o part.csv 2>err; code=$?
if [ $code != 0 ]; then
  expect 4 "sweep out of time"
  # shellcheck disable=SC2086
  "$REDBLUE" $long --resume part.csv -o part.csv 2>err
fi
if cmp -s part.csv whole.csv; then good; else bad "a sweep resumed after its time differs from the whole"; fi

# ---- limits ----

limited() { # CODE ARGUMENTS
  want=$1; shift
  "$REDBLUE" "$@" >out 2>err </dev/null; code=$?
  expect "$want" "$*"
}
printf 'input x[4]\noutput y[1] = x[0]\n' >few.cdag
big=matmul:m=2000,n=2000,k=2000
limited 4 verify $big naive -M 9000 --engine element --limit-memory 1M
limited 4 verify $big naive -M 9000 --engine element --limit-time 0.1
limited 4 moves $big naive -M 9000 --limit-time 0.1
limited 4 optimal grid:r=7,c=7 -M 5 --limit-time 0.2
limited 4 optimal grid:r=7,c=7 -M 5 --limit-memory 2M --limit-time 4
limited 4 cdag random:n=3000000 --limit-memory 1M
limited 4 table --spec attention --sweep n=8..5000+1 --sweep d=2 --sweep M=40 --columns 'bound' --limit-time 0.1
limited 0 schedule grid:r=20,c=20 -M 6 --limit-time 0.5
# what has no end is not held: at the first zero byte nothing more is read
limited 3 cdag /dev/zero --limit-memory 20M
limited 3 check /dev/zero --limit-memory 20M
limited 3 verify few.cdag /dev/zero -M 4 --limit-memory 20M
limited 3 bound attention-sparse:n=64,d=2,b=8,w=2,mask=@/dev/zero -M 40 --limit-memory 20M
limited 3 table --spec dot --sweep 'k=2 M=4' --columns bound --resume /dev/zero --limit-memory 20M
yes 2>/dev/null | "$REDBLUE" cdag - --limit-memory 20M >out 2>err; code=$?
expect 4 "cdag of an endless text"
# programs of 10^18 iterations: answered where they repeat, refused where nothing repeats or every one is asked for
endless() { # NAME LOOPS: then y is made
  printf '%s\nload x[0] compute y[0] store y[0]\n' "$2" >"$1.sched"
}
endless same 'for a in 9223372036854775807 { load x[0] drop x[0] }'
endless wild 'for a in 1000000000 { for b in 1000000000 { if (a*a + b*b) % 1000003 == 7 { load x[a%4] drop x[a%4] } } }'
endless more 'for a in 1000000000000000000 { for b in a { load x[b%3] drop x[b%3] } }'
endless edge 'for a in 1000000000000000000 { load v[0] drop v[0] }'
limited 0 verify few.cdag same.sched -M 4
limited 4 verify few.cdag same.sched -M 4 --plain
limited 4 verify few.cdag wild.sched -M 4
limited 4 verify few.cdag more.sched -M 4 --engine element
limited 4 count few.cdag wild.sched -M 4
limited 4 moves few.cdag wild.sched -M 4
printf '2 1\n0 1\n' >two.edges
sed -i 's/x\[/v[/g; s/y\[0\]/v[1]/g' edge.sched
limited 4 verify two.edges edge.sched -M 4
limited 2 cdag dot:k=3 --limit-memory lots
limited 2 cdag dot:k=3 --limit-time soon
limited 2 cdag dot:k=3 --limit-memory 0
for limit in --limit-memory=1M --limit-time=0.1; do
  timeout 60 "$REDBLUE" verify $big naive -M 9000 --engine element --json $limit >out 2>err; code=$?
  expect 4 "verify --json $limit"
  if grep -q '^{"error": {"kind": "limit", "message": "[^"]*"}, "schema": 1}$' out; then good; else bad "$limit: no error object: $(cat out)"; fi
done

# ---- clocks that jump an hour, there and back ----

if [ -f "$preload" ]; then
  for by in 3600 -3600; do
    for line in "optimal pyramid:h=3 -M 4 --limit-time 5" "schedule grid:r=4,c=4 -M 4 --limit-time 0.3" "bound grid:r=4,c=4 -M 4 --limit-time 1" \
      "verify attention:n=6,d=2 attenio -M 20"; do
      # shellcheck disable=SC2086
      FAULT_CLOCK=$by LD_PRELOAD=$preload timeout 60 "$REDBLUE" $line >out 2>err </dev/null; code=$?
      [ $code = 0 ] || expect 4 "clock off by $by: $line"
    done
  done
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
