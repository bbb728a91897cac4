#!/bin/sh
# Files that are written, and what stands in them: nothing that was there is lost, nothing is mixed up, nothing that comes from outside
# is obeyed by who reads it.
: "${REDBLUE:?}" "${OBJ:?}" "${ROUNDS:=1}"
passed=0; failed=0
work=$(mktemp -d); trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
lib=$(cd "$OBJ" && pwd)/libredblue.so
cd "$work" || exit 1
rb() { "$REDBLUE" "$@" </dev/null; }
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
has() { if grep -q -e "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: no '$2' in: $(head -c 300 "$3")"; fi; }
lacks() { if grep -q -e "$2" "$3"; then failed=$((failed + 1)); echo "FAILED $1: '$2' is in: $(head -c 300 "$3")"; else passed=$((passed + 1)); fi; }
left() { find . -name '.*.new' | wc -l | tr -d ' '; }

# ---- a file takes its name when it is whole ----

# every option that writes a file, behind which its name is put
cat >writers <<'W'
bound dot:k=9 -M 4 --certificate
optimal pyramid:h=3 -M 4 --moves
schedule grid:r=3,c=3 -M 4 --moves
lesson grid:r=2,c=3 rows -M 4 -o
plot matmul:m=8,n=8,k=8 --sweep M=20,30 --format svg -o
table --spec dot --sweep k=2,3 --sweep M=4 --columns bound -o
table --spec dot --sweep k=2,3 --sweep M=4 --columns bound --format csv -o
table --spec dot --sweep k=2,3 --sweep M=4 --columns bound --format latex -o
table --spec dot --sweep k=2,3 --sweep M=4 --columns bound --format markdown -o
table --spec dot --sweep k=2,3 --sweep M=4 --columns bound --format json -o
schedule dot:k=4 -M 4 -o
bound dot:k=9 -M 4 --theorem compulsory --coq
W
mounted=no
mkdir small; mount -t tmpfs -o size=4k none small 2>/dev/null && mounted=yes && head -c 4096 /dev/zero >small/full
here=$OLDPWD
ldd "$REDBLUE" | grep -q -e asan -e ubsan || ${CC:-cc} -shared -fPIC -O1 -o preload.so "$here/tests/faults/preload.c" 2>err || rm -f preload.so
[ -f preload.so ] || echo "skipped: signals as a file takes its name, in this build"
[ "$ROUNDS" -gt 1 ] && signals="1 2 9 15" || signals="9 15"
plain() { sed 's/[0-9.]* *s$//; /evaluat/d' "$1" | head -c 100000; }
while read -r line; do
  # shellcheck disable=SC2086
  { echo former >f; chmod 640 f; ln -sf f link; rb $line link >out 2>err; }
  ok "$line: written" "$?" 0
  lacks "$line: new" '^former$' f
  cp f whole
  ok "$line: the link stays, with the permissions" "$(readlink link) $(stat -c %a f)" "f 640"
  # shellcheck disable=SC2086
  { echo former >f; rb $line nowhere/f >out 2>err; }
  ok "$line: no such folder" $? 3
  ok "$line: found out before anything is computed" "$(wc -c <out | tr -d ' ')" 0
  if [ -f preload.so ]; then # a signal at the last moment: the former file, or the new one whole (of a CSV, its first rows)
    for signal in $signals; do
      # shellcheck disable=SC2086
      { echo former >f; FAULT_RENAME=$signal LD_PRELOAD=./preload.so rb $line f >out 2>err; }
      code=$?
      [ $code = 0 ] || [ $code = 4 ] || ok "$line: signal $signal" $code $((128 + signal))
      case $line in *csv*) rows=$(wc -l <f) ;; *) rows=1000000 ;; esac
      [ "$(cat f)" = former ] || ok "$line: whole after signal $signal" "$(plain f)" "$(head -n "$rows" whole | plain -)"
      [ $signal != 9 ] || case $line in *csv*) ;; *) ok "$line: killed" "$(cat f)" former ;; esac
    done
    rm -f .f.*.new
  fi
  if [ $mounted = yes ]; then # the file that is replaced is kept: its name is on a disk with no room for another
    rm -f small/*; head -c 2000 /dev/zero >small/f; head -c 4096 /dev/zero >small/full 2>/dev/null
    cp small/f former
    # shellcheck disable=SC2086
    rb $line small/f >out 2>err
    ok "$line: a full disk" "$? $(cmp small/f former && echo kept)" "3 kept"
    ok "$line: nothing is left" "$(find small -name '.*' -type f | wc -l | tr -d ' ')" 0
  fi
done <writers
ok "nothing is left beside" "$(left)" 0
[ $mounted = yes ] || echo "skipped: a full disk, no tmpfs can be mounted here"
# what could not be foreseen: the answer is printed, and says what is not there
for line in 'optimal pyramid:h=3 -M 4 --moves' 'schedule grid:r=3,c=3 -M 4 --moves' 'bound matmul:m=8,n=8,k=8 -M 16 --certificate'; do
  # shellcheck disable=SC2086
  rb $line /dev/full >out 2>err; ok "$line /dev/full" "$? $(wc -l <out | tr -d ' ')" "3 $(rb $line f | wc -l | tr -d ' ')"
  # shellcheck disable=SC2086
  rb $line /dev/full --json >out 2>err; has "$line /dev/full: JSON" '"error": {"kind": "file".*/dev/full' out
done
rb table --spec dot --sweep 'k=2 M=4' --columns 'bound,nothing' --format csv -o keep.csv 2>err; ok "no row" $? 2
ok "no file" "$(ls keep.csv 2>/dev/null)" ""

# ---- SIGINT, SIGTERM, SIGHUP: what is known is said ----

printf 'play\n' >play
for signal in INT TERM HUP; do
  env --default-signal=$signal "$REDBLUE" optimal random:n=60,degree=4,seed=3 -M 8 --limit-time 60 --moves m.sched >out 2>err &
  pid=$!; while ! grep -q between err 2>/dev/null && kill -0 $pid 2>/dev/null; do sleep 0.05; done
  kill -$signal $pid; wait $pid
  ok "optimal, SIG$signal" $? 4; has "its interval" '^optimum    between ' out
  rb verify random:n=60,degree=4,seed=3 m.sched -M 8 >out; ok "its moves" $? 0
  env --default-signal=$signal "$REDBLUE" schedule grid:r=40,c=40 -M 5 --limit-time 60 --moves m.sched >out 2>err &
  pid=$!; sleep 0.3; kill -$signal $pid; wait $pid
  ok "schedule, SIG$signal" $? 4; rb verify grid:r=40,c=40 m.sched -M 5 >out; ok "its moves" $? 0
  rm -f part.csv
  env --default-signal=$signal "$REDBLUE" table --spec attention --sweep 'd=8 n=64..163+1 M=256' --columns 'bound,tuned(attenio)' --format csv -o part.csv 2>err &
  pid=$!; while [ "$(cat part.csv 2>/dev/null | wc -l)" -lt 3 ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
  kill -$signal $pid; wait $pid; ok "table, SIG$signal" $? 4; has "how it goes on" '\-\-resume part.csv goes on' err
done
echo former >f.tex
env --default-signal=TERM "$REDBLUE" table --spec attention --sweep 'd=8 n=64..163+1 M=256' --columns 'bound,tuned(attenio)' --format latex -o f.tex 2>err &
pid=$! # once it listens to SIGTERM
until grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$pid/status || ! kill -0 $pid; do sleep 0.05; done 2>/dev/null
sleep 0.2; kill -TERM $pid; wait $pid; ok "a table that is no CSV" "$? $(cat f.tex)" "4 former"; has "nothing is promised" 'none is kept' err
# killed, not asked: the rows that were printed go on
"$REDBLUE" table --spec matmul --sweep 'm=8..27+1 n=8 k=8 M=40' --columns 'bound' --format csv >whole.csv
"$REDBLUE" table --spec matmul --sweep 'm=8..27+1 n=8 k=8 M=40' --columns 'bound' --format csv -o cut.csv 2>err & pid=$!
while [ "$(cat cut.csv 2>/dev/null | wc -l)" -lt 3 ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done; kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null
rb table --spec matmul --sweep 'm=8..27+1 n=8 k=8 M=40' --columns 'bound' --resume cut.csv -o cut.csv; ok "killed, then resumed" "$(cmp cut.csv whole.csv && echo same)" same

# ---- every JSON answer about a computation says what was asked ----

"$REDBLUE" bound dot:k=4 -M 4 --certificate c.json >/dev/null
while read -r line; do
  # shellcheck disable=SC2086
  rb $line --json >out
  for key in computation schedule M version; do ok "$line: $key" "$(grep -o "[{,] *\"$key\": " out | wc -l | tr -d ' ')" 1; done
done <<'V'
cdag dot:k=4
bound dot:k=4 -M 4
check c.json
verify dot:k=4 stream -M 4
count dot:k=4 stream -M 4
tune attention:n=8,d=2 attenio -M 20
tune dot:k=4 -M 4
optimal dot:k=4 -M 4
schedule dot:k=4 -M 4
moves dot:k=4 stream -M 4
play dot:k=4 -M 4
time attention:n=8,d=2 attenio -M 20
plot dot:k=4 --sweep M=4,5 --columns bound
lesson dot:k=4 stream -M 4
lesson dot:k=4 stream -M 4 -o lesson.html
V

# ---- a CSV knows what it is ----

sweep() { rb table --spec "${spec:-attention}" --sweep d=4 --sweep n=16,32 --sweep M=40 --columns 'bound,io(attenio)' --format csv "$@"; }
sweep >a.csv; head -2 a.csv >p.csv
refused() { what=$1; shift; sweep "$@" >out 2>err; ok "$what" $? 3; has "$what: the row" ':2:1: this row ' err; }
spec=attention-sparse:b=4,w=0 refused "another computation" --resume p.csv
refused "another game" --resume p.csv --rules sliding
refused "another game" --resume p.csv --one-shot
sed '2s/,\([0-9]*\),\([0-9]*\),\([^,]*\)$/,\19,\2,\3/' p.csv >q.csv; refused "a changed cell" --resume q.csv
sed '2s/[0-9],\([^,]*\)$/,\1/' p.csv >q.csv; refused "a shortened cell" --resume q.csv
sed '2s/,[0-9]*,\([^,]*\)$/,,\1/' p.csv >q.csv; refused "an empty cell" --resume q.csv
sed '1p;3p;d' a.csv >q.csv; sed 's/^4,32/4,16/' q.csv >r.csv; refused "a row in another place" --resume r.csv
sweep --resume q.csv >out; ok "the second row alone" "$(cmp out a.csv && echo same)" same
sweep --shard 1/2 >s1.csv; spec=attention-causal sweep --shard 2/2 >s2.csv
rb table --join s1.csv s2.csv >out 2>err; ok "shards of different computations" $? 3; has "the row" '^redblue: s2.csv:2:1: this row is of another table' err
rb table --join s1.csv q.csv >out 2>err; ok "a row of the whole in the place of a shard" $? 0 # the same row, in its own place
printf 'param n = 2\ninput x[n]\ns[i:n] = s[i-1], x[i]\noutput s[n-1]\n' >own.cdag
rb table --spec ./own.cdag --sweep n=2,3 --sweep M=3 --columns bound --format csv >o.csv; head -2 o.csv >p.csv; echo '# changed' >>own.cdag
rb table --spec ./own.cdag --sweep n=2,3 --sweep M=3 --columns bound --format csv --resume p.csv >out 2>err; ok "a file that was changed" $? 3

# ---- nothing is obeyed ----

bad='x}\input{/etc/passwd}\iffalse{'
rb table --spec dot --sweep 'k=2 M=4' --columns bound --label "$bad" --format latex >out 2>err; ok "a label that is none: table" $? 2
rb plot matmul:m=8,n=8,k=8 --sweep M=20,30 --label "$bad" --format pgfplots >out 2>err; ok "a label that is none: plot" $? 2
cat >c.table <<'T'
case chain:n=3 M=4 f="a\input{x}$1$%#_{^" g="=cmd|'/c calc'!A1" h="<img src=x onerror=alert(1)>[a](b)"
column f [math] = f
column g = g
column h = h
T
rb table c.table --format latex >out; ok "LaTeX: no command from a formula" "$(grep -c '\\input' out)" 0; has "all of it" 'backslash' out
rb table c.table --format csv >c.csv; has "CSV: no formula" "'=cmd" c.csv; lacks "CSV: none" ',"*=' c.csv
rb table c.table --format csv --resume c.csv >out; ok "and read back" "$(cmp out c.csv && echo same)" same
rb table c.table --resume c.csv --format text >out; has "as it was" " =cmd" out
rb table c.table --format markdown >out; lacks "Markdown: no HTML" '<img' out; lacks "no link" '[^\\]\[a' out
printf 'digraph { "a\033[2J" -> "b\033[2J" }' >c.dot; escape=$(printf '\033')
if command -v script >/dev/null; then
  for verb in 'cdag c.dot --format edges' 'cdag c.dot --format dot' 'schedule c.dot -M 3 --moves -' "verify c.dot ${escape}x.sched -M 3" "${escape}verb"; do
    TERM=xterm script -qec "$REDBLUE $verb" /dev/null </dev/null >out 2>&1; lacks "a terminal: $verb" "$escape" out
  done
  has "it is shown" '\\x1b' out
else
  echo "skipped: terminals, there is no script(1) here"
fi
rb cdag c.dot --format dot >out; has "a file gets the bytes" "$escape" out
rb "${escape}verb" 2>err; lacks "messages are harmless everywhere" "$escape" err

# ---- what a file that is not understood holds is not shown ----

printf 'topsecret:1:2\n' >s
silent() { what=$1; shift; rb "$@" >out 2>err; ok "$what" $? 3; cat err >>out; lacks "$what" topsecret out; }
silent "a mask" bound attention-sparse:n=64,d=2,b=8,w=2,mask=@s -M 40
silent "a table" table s
silent "a machine" bound attention:n=8,d=2 --machine ./s
silent "a CSV" table --spec attention --sweep 'n=8 d=2 M=20' --resume s
silent "a certificate" check s
silent "a graph" cdag s

# ---- numbers in JSON have a point, whatever the host's locale ----

if command -v python3 >/dev/null && localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null && ! ldd "$lib" | grep -q -e asan -e ubsan; then
  cat >comma.py <<'P'
import ctypes, json, locale, sys
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
lib = ctypes.CDLL(sys.argv[1])
answer = ctypes.c_void_p()
lib.redblue_verify(b"attention:n=64,d=4", b"attenio", ctypes.c_uint64(100), b"", ctypes.byref(answer))
print(json.loads(ctypes.string_at(answer))["ratio"] > 1, locale.localeconv()["decimal_point"])
P
  ok "a decimal comma" "$(LOCPATH=. python3 comma.py "$lib" 2>&1 | tail -1)" "True ,"
else
  echo "skipped: a locale with a decimal comma cannot be made here"
fi
echo "$passed passed, $failed failed"; [ $failed = 0 ]
