#!/bin/sh
# The verb play: counters, every refusal in its words, undo, and moves that verify accepts with the same numbers.
: "${REDBLUE:?}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0; failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; sed 's/^/  /' o e | head -40; }
# play WANTED ARGS...: the moves are in i
play() {
  wanted=$1; shift
  "$REDBLUE" play "$@" < i > o 2> e; got=$?
  if [ "$got" = "$wanted" ]; then ok; else bad "play $*: exit $got, wanted $wanted"; fi
}
says() { if grep -qxF -- "$1" o; then ok; else bad "no line '$1'"; fi; }

# ---- a whole game, with its moves verified ----
cat > i <<'I'
# y = a b + c d, by hand
load A[0,0]
load B[0,0]
compute C[0,0,0]
  drop A[0,0], B[0,0]
load A[0,1], B[1,0]

compute C[0,0,1] dropping C
store C[0,0,1]
I
play 0 matmul:m=1,n=1,k=2 -M 4 --moves mine.sched
says "loads 1  stores 0  red 1 of 4  peak 1"
says "loads 4  stores 1  red 3 of 4  peak 4"
says "done: every output is blue, I/O 5 = 4 loads + 1 store, peak 4"
"$REDBLUE" verify matmul:m=1,n=1,k=2 mine.sched -M 4 > v 2>&1 && grep -q 'I/O  *5 = 4 loads + 1 store' v && grep -q 'peak  *4' v && ok || bad "mine.sched is not accepted: $(cat v)"
play 0 matmul:m=1,n=1,k=2 -M 4 --json
grep -q '"done": true, "loads": 4, "stores": 1, "io": 5, "peak": 4, "computes": 2, "refused": 0' o && ok || bad "json"

# ---- every rule; what is refused changes nothing ----
refuses() { # RULE LINES
  printf '%s\n' "$2" > i
  play 1 matmul:m=1,n=1,k=2 -M 3 $3
  if tail -2 o | head -1 | grep -qF "refused: rule '$1' broken at"; then ok; else bad "rule $1"; fi
}
nl='
'
refuses 'already red' "load A[0,0]${nl}load A[0,0]"
refuses 'not blue' "load C[0,0,0]"
refuses 'memory' "load A[*,*]${nl}load B[*,*]"
refuses 'not red' "store C[0,0,0]"
refuses 'not red' "drop A[0,0]"
refuses 'already blue' "load A[0,0]${nl}store A[0,0]"
refuses 'not blue' "erase C[0,0,0]"
refuses 'input' "compute A[0,0]"
refuses 'predecessor' "load A[0,0]${nl}compute C[0,0,0]"
refuses 'already red' "load A[0,0], B[0,0]${nl}compute C[0,0,0]${nl}compute C[0,0,0]"
refuses 'recompute' "load A[0,0], B[0,0]${nl}compute C[0,0,0]${nl}drop C[0,0,0]${nl}compute C[0,0,0]" --one-shot
printf 'load A[*,*]\nload B[*,*]\nshow\n' > i
play 1 matmul:m=1,n=1,k=2 -M 3
says "refused: rule 'memory' broken at B[1,0]; 4 pebbles needed, M = 3"
says "red       A[0,0] A[0,1]"
says "loads 2  stores 0  red 2 of 3  peak 2"
says "not done: C[0,0,1] is an output and not blue"

# ---- lines at their limit, and lines that are none ----
pad=$(printf '%4083s' '')
printf 'load A[0,0]%s\n' "$pad" > i   # 4094 characters
play 1 matmul:m=1,n=1,k=2 -M 3 --json
grep -q '"loads": 1,.*"refused": 0' o && ok || bad "the longest line"
printf 'load A[0,0]%s \nload B[0,0]\n' "$pad" > i
play 1 matmul:m=1,n=1,k=2 -M 3 --json
grep -q '"loads": 1,.*"refused": 1' o && grep -q 'at most 4094' e && ok || bad "a line too long"
printf 'load A[0,0]\0%s%s\nload B[0,0]\n' "$pad" "drop A[0,0]" > i
play 1 matmul:m=1,n=1,k=2 -M 3 --json
grep -q '"loads": 1,.*"refused": 1' o && grep -q 'zero byte' e && ok || bad "a line with a zero byte"

# ---- undo, show, moves, quit ----
printf 'undo\nload A[0,0]\nload B[0,0]\nmoves\nundo\nshow\nquit\nload A[0,0]\n' > i
play 1 matmul:m=1,n=1,k=2 -M 3
says "nothing to undo"
says "compute   C[0,0,0]"
says "load      A[0,1] B[1,0]"
says "store     none"
says "red       A[0,0]"
says "owed      C[0,0,1]"
[ "$(grep -c '^loads' o)" = 4 ] && ok || bad "quit does not quit"
printf 'load v[0]\nload v[1]\nmoves\n' > i
printf '3 2\n0 2\n1 2\n' > g.txt
play 1 g.txt -M 2 --rules sliding
says "compute   v[2] dropping v[0]"
play 1 g.txt -M 2
says "compute   none"
printf 'load v[0], v[1]\ncompute v[2] dropping v[0]\nstore v[2]\n' > i
play 0 g.txt -M 2 --rules sliding
play 1 g.txt -M 2

# ---- undo and redo, save, the comparison at the end ----
cat > i <<'I'
redo
load A[0,0], B[0,0]
compute C[0,0,0]
undo
undo
redo
redo
redo
drop A[0,0], B[0,0]
undo
drop A[0,0]
redo
save half.sched
save no/such/folder
drop B[0,0]
load A[0,1], B[1,0]
compute C[0,0,1]
store C[0,0,1]
I
play 0 matmul:m=1,n=1,k=2 -M 4
says "saved"
says "cannot write no/such/folder: No such file or directory"
says "the optimum is 5"
[ "$(grep -c 'nothing to do again' o)" = 3 ] && ok || bad "redo goes too far"
[ "$(grep -v '^#' half.sched | tr '\n' ';')" = 'load A[0,0], B[0,0];compute C[0,0,0];drop A[0,0];' ] && ok || bad "half.sched: $(cat half.sched)"

# ---- hints lead to the end, each of them legal ----
hints() { # SPEC ARGS...
  : > i
  n=0
  while [ $n -lt 400 ]; do
    { cat i; echo hint; } > i2
    "$REDBLUE" play "$@" < i2 > o 2> e
    line=$(sed -n 's/^try: //p' o | tail -1)
    [ -n "$line" ] || break
    echo "$line" >> i
    n=$((n + 1))
  done
  play 0 "$@"
  if grep -q refused o; then bad "a hint of $* is refused"; else ok; fi
}
hints matmul:m=1,n=2,k=2 -M 4
hints tree:h=2 -M 4
hints tree:h=2 -M 3
hints pyramid:h=2 -M 4
hints fft:l=2 -M 3
hints fft:l=2 -M 3 --rules sliding
hints fft:l=2 -M 4 --rules sliding --one-shot
hints grid:r=3,c=3 -M 3 --one-shot
printf 'load v[0], v[1]\ncompute v[2]\ndrop v[2]\nhint\n' > i
printf '4 3\n0 2\n1 2\n2 3\n' > lost.txt
play 1 lost.txt -M 3 --one-shot
says "no hint: a value that is needed was lost, and nothing is computed twice; undo"
printf 'hint\n' > i
play 1 fft:l=2 -M 1
says "try: load v[0]"
printf 'load v[0]\nhint\n' > i
play 1 fft:l=2 -M 1
says "no hint: every output is blue, or M is too small for any vertex"
play 1 fft:l=2 -M 1 --rules partial
says "there are no hints for the partial game"

# ---- in a terminal: a prompt, the position to begin with, moves typed one by one ----
if command -v python3 > /dev/null; then
  cat > terminal.py <<'P'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
def until(mark):
    got = b""
    while not got.endswith(mark):
        if not select.select([fd], [], [], 20)[0]:
            sys.exit("no prompt after: " + repr(got))
        got += os.read(fd, 1)
    return got.decode()
said = until(b"> ")
for line in ["load A[0,0]", "store C[0,0,0]", "hint", "load B[0,0]", "compute C[0,0,0]", "undo", "redo", "store C[0,0,0]"]:
    os.write(fd, line.encode() + b"\n")
    said += until(b"> ")
os.write(fd, b"\x04")   # the end of what is typed
try:
    while select.select([fd], [], [], 20)[0]:
        more = os.read(fd, 1000)
        if not more: break
        said += more.decode()
except OSError:
    pass
print(said.replace("\r", ""))
os.close(fd)   # it ends whatever it waits for
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
  python3 terminal.py "$REDBLUE" play matmul:m=1,n=1,k=1 -M 3 > o 2> e; got=$?
  [ $got = 0 ] && ok || bad "the terminal: exit $got"
  # typed before the program reads keys one by one: the line, and the end
  cat > early.py <<'P'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv("/bin/sh", ["sh", "-c", 'sleep 0.2; exec "$0" "$@"'] + sys.argv[1:])
os.write(fd, b"load A[0,0]\n\x04")
said = b""
try:
    while select.select([fd], [], [], 20)[0]:
        more = os.read(fd, 1000)
        if not more: break
        said += more
    else: said = b"it goes on waiting"
except OSError:
    pass
os.close(fd)
os.waitpid(pid, 0)
print("loads 1" in said.decode() or said.decode())
P
  [ "$(python3 early.py "$REDBLUE" play matmul:m=1,n=1,k=1 -M 3 2>&1)" = True ] && ok || bad "what is typed early"
  for line in "3 vertices, M = 3, placing; \`help\` lists the words, \`hint\` helps" "C        _" "refused: rule 'not red' broken at C[0,0,0]" "try: load B[0,0]" \
              "done: every output is blue, I/O 3 = 2 loads + 1 store, peak 3" "the optimum is 3"; do
    if grep -qF -- "$line" o; then ok; else bad "the terminal does not say: $line"; fi
  done
fi

# ---- what is no move ----
printf 'jump A[0,0]\nload Q[0,0]\nload A[7,7]\nload A[0]\nparam a = 3\nload\n' > i
play 1 matmul:m=1,n=1,k=2 -M 3 --json
grep -q '"loads": 0, .*"refused": 6' o && ok || bad "nonsense is not refused"
awk 'BEGIN { while (n++ < 5000) printf "x"; print ""; print "load A[0,0]" }' > i
play 1 matmul:m=1,n=1,k=2 -M 3
says "loads 1  stores 0  red 1 of 3  peak 1"
play 2 matmul:m=1,n=1,k=2
play 2 - -M 3
play 3 nothing.cdag -M 3
play 4 matmul:m=1000,n=1000,k=1 -M 3
play 3 matmul:m=1,n=1,k=2 -M 3 --moves no/such/folder

# ---- at a terminal: keys, history, Tab, Ctrl-C; the settings of the terminal are as before ----
if command -v python3 > /dev/null; then
  cat > keys.py <<'P'
import os, pty, select, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "play", "matmul:m=1,n=1,k=2", "-M", "4"])
before, seen = termios.tcgetattr(fd)[3], b""
def until(mark, then=b"> "): # and the prompt after it: only then are keys read one by one
    global seen
    got = b""
    while then not in got[got.find(mark) + len(mark) if mark in got else len(got):] and select.select([fd], [], [], 20)[0]:
        try: more = os.read(fd, 65536)
        except OSError: break
        if not more: break
        got += more
    seen += got
until(b"owed")
# a slip mended in the middle of the line; Tab ends a word; the last line again, its end changed; ^C once, and twice
for keys, mark in [(b"load A[0,9]\x1b[D\x7f0\r", b"loads 1"), (b"lo\tB[0,0]\r", b"loads 2"), (b"com\tC[0,0,0]\r", b"red 3 of 4"), (b"\x1b[A\x1b[A\x7f\x7f\x7f\x7f1,0]\x01\x1b[3~\x1b[3~\x1b[3~\x1b[3~load\r", b"loads 3"),
                   (b"\x03", b"nothing is lost")]:
    os.write(fd, keys)
    until(mark)
os.write(fd, b"\x03")
until(b"not done", b"\n")
try:
    while select.select([fd], [], [], 20)[0] and os.read(fd, 1000): pass   # until it has left the terminal
except OSError:
    pass
os.close(fd)   # it ends whatever it waits for
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
text = seen.decode()
for word in ["goal: every output blue", "5 are possible, and no fewer", "load A[0,0]\r\nload B[0,0]\r\ncompute C[0,0,0]\r\nload B[1,0]\r\n", "@o"]:
    print(word in text or text)
P
  python3 keys.py "$REDBLUE" > o 2> e
  [ "$(tr '\n' ' ' < o)" = '1 True True True True ' ] && ok || bad "at a terminal"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
