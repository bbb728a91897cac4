#!/bin/sh
# same-answers.sh OLD NEW [WORD] -- run the same commands with two builds of redblue and list where their answers differ.
#   sh tests/same-answers.sh /tmp/before/build/redblue build/redblue            all commands
#   sh tests/same-answers.sh /tmp/before/build/redblue build/redblue attention  those that contain a word
# For changes that must not change an answer.  It is no part of `make check`: it takes minutes, and differences are for a reader to judge.  Each one
# is named by what it is:  exit (another exit code), numbers (a number differs, came or went), words (the numbers are the same, in their order).
# JOBS: commands at a time (2).  OUT: where the answers go (build/same-answers); OUT/diff has every difference in full.
# LIMIT: processor seconds for a command (60).  EVERY: every n-th command alone (1: all of them, which takes half an hour on two cores).
# NEW's library of schedules gives the rows; families and texts are those of this tree.
[ $# -ge 2 ] || { sed -n '2,9s/^# //p' "$0"; exit 2; }
old=$(realpath "$1") new=$(realpath "$2") word=$3
: "${JOBS:=2}" "${LIMIT:=60}" "${EVERY:=1}" "${OUT:=build/same-answers}"
export JOBS LIMIT OUT

# a family, its small size and memory (played), its large ones (counted)
families='
attention|n=8,d=2|20|n=4096,d=64|16K
attention|n=12,d=5,nk=7,dv=3|24|n=131072,d=128,nk=8192|256K
attention-backward|n=6,d=2|24|n=2048,d=64|32K
attention-block|n=8,d=2,b=2,r=2|20|n=4096,d=64,b=64,r=16|32K
attention-causal|n=8,d=2|20|n=4096,d=64|16K
attention-causal-backward|n=6,d=2|24|n=2048,d=64|32K
attention-decode|n=6,d=2,T=3|16|n=4096,d=64,T=16|4K
attention-gradient|n=6,d=2|24|n=1024,d=32|8K
attention-lowrank|n=8,d=2,r=3|20|n=4096,d=16,r=153|4K
attention-online|n=8,d=2,b=2|24|n=4096,d=64,b=64|32K
attention-sparse|n=8,d=2,b=2|20|n=4096,d=64,b=64|32K
attention-sparse-backward|n=6,d=2,b=2|24|n=1024,d=32,b=64|32K
attention-split|n=8,d=2,c=2|20|n=4096,d=64,c=8|16K
chain|n=9|4|n=100000|8
cholesky|n=6|9|n=1000|1K
dot|k=9|4|k=1000000|16
fft|l=3|5|l=12|64
grid|r=5,c=6|4|r=1000,c=2000|64
matmul|m=3,n=4,k=5|9|m=1000,n=900,k=800|3K
matvec|m=4,n=5|5|m=3000,n=2000|256
mlp|m=3,k=4,h=5,n=2|14|m=512,k=256,h=1024,n=256|8K
pyramid|h=5|5|h=60|16
stencil|w=7,t=5|5|w=10000,t=1000|256
stencil2d|w=4,h=5,t=3|12|w=200,h=200,t=50|1K
syrk|n=6,k=4|9|n=500,k=400|1K
tree|h=4|6|h=12|10
'
rows() { printf '%s\n' "$families" | grep . ; }
commands() {
  for verb in families bounds schedules machines 'degree 1 0.001 8' 'degree 8 0.01 64 --json'; do echo "redblue $verb"; done
  rows | while IFS='|' read -r f small m large big; do
    for size in "$small|$m" "$large|$big"; do
      s=$f:${size%|*} M=${size#*|}
      echo "redblue cdag $s"
      echo "redblue bound $s -M $M --proof --limit-time 30"
      echo "redblue bound $s -M $M --json --limit-time 30"
      echo "redblue bound $s -M $M --certificate -"
      echo "redblue bound $s -M $M --certificate - | redblue check -"
    done
    echo "redblue cdag $f:$small --format cdag"; echo "redblue cdag $f:$small --format edges"; echo "redblue cdag $f:$small --format dot"
    echo "redblue bound $f:$small -M $m --rules partial --proof --latex"
    echo "redblue bound $f:$large -M $big --one-shot --certificate - | redblue check - --json"
    echo "redblue bound $f:$small --io 200"
  done
  rows | while IFS='|' read -r f small m large big; do
    for s in $("$new" schedules "$f" 2>/dev/null | sed -n 's/^  \([a-z][^ ]*\) .*/\1/p'); do
      echo "redblue verify $f:$small $s -M $m"
      echo "redblue verify $f:$small $s -M $m --engine both --rules sliding --json"
      echo "redblue moves $f:$small $s -M $m"
      echo "redblue count $f:$small $s -M $m --formula"
      echo "redblue count $f:$large $s -M $big"
      echo "redblue tune $f:$large $s -M $big"
    done
  done
  for s in fft:l=2 pyramid:h=4 tree:h=3 grid:r=3,c=3 matmul:m=2,n=2,k=2 stencil:w=4,t=2 attention:n=2,d=1 dot:k=4 chain:n=5 syrk:n=3,k=1; do
    for game in '' --one-shot '--rules sliding' '--rules partial'; do echo "redblue optimal $s -M 5 $game --json"; done
    echo "redblue optimal $s -M 4 --moves -"
  done
  for s in fft:l=4 pyramid:h=9 cholesky:n=8 grid:r=8,c=8 strassen:l=2; do echo "redblue schedule $s -M 9 --seed 3 --one-shot --moves -"; done
  for t in $(grep -v '^#' tests/gallery_rows.txt | cut -d' ' -f1 | sort -t: -u -k1,1 | sed 's,^,examples/polybench/,'); do echo "redblue bound $t -M 16 --proof --limit-time 30"; echo "redblue bound $t -M 8 --one-shot --certificate - | redblue check -"; done
  for t in examples/ml/*.cdag; do echo "redblue cdag $t --json"; done
  for t in examples/polybench/*.c; do echo "redblue cdag $t --format cdag"; done
  for t in attenio backward matmul regimes shapes; do echo "redblue table examples/paper/$t.table --format csv -q"; done
  echo "redblue table --sweep 'n=1K..8K*2' d=64 M=16K,64K --columns 'bound,tuned(attenio),count(flash2),gap' -q"
  echo "redblue table --spec matmul:m=n,n=n,k=n --sweep 'n=64..512*2' M=1K --columns 'bound,tuned(resident),leading,formula(resident)' --format latex -q"
  for s in attention:n=64,d=4 matmul:m=30,n=40,k=50 cholesky:n=30 stencil:w=64,t=64; do echo "redblue tune $s -M 100"; echo "redblue plot $s -q"; done
  echo "redblue time attention:n=8192,d=64 attenio"; echo "redblue time matmul:m=64,n=64,k=64 resident -M 1K --json"
  for s in 'attention:n=4,d=2 attenio -M 12 --segment 12' 'pyramid:h=5 strips -M 8 --at 20' 'matmul:m=3,n=3,k=3'; do echo "redblue draw $s --format tex"; done
  echo "redblue lesson attention:n=8,d=2 attenio -M 20"
  # what is refused, and in which words
  for s in 'verify attention:n=8,d=2 attenio -M 3' 'verify matmul:m=2,n=2,k=2 naive -M 2' 'bound nosuch:n=3 -M 4' 'bound matmul:m=2 -M 4' 'optimal fft:l=2 -M 2' \
    'count attention:n=8,d=2 attenio' 'tune matmul:m=9,n=9,k=9 resident -M 2' 'verify attention:n=8,d=2 nosuch -M 9' 'cdag nosuch.cdag' 'bound fft:l=99 -M 4'; do echo "redblue $s"; done
}

# one PROGRAM FILE COMMAND: the answer and the exit code, without the version
one() (
  program=$1
  redblue() { "$program" "$@"; }
  { (ulimit -t "$LIMIT"; eval "$3"); echo "exit $?"; } 2>&1 </dev/null | sed 's/redblue [0-9]*\.[0-9]*\.[0-9]*/redblue VERSION/; s/"version": "[^"]*"/"version": VERSION/' >"$2"
)
if [ "$4" ]; then
  number=${4%% *} command=${4#* }
  one "$old" "$OUT/old/$number" "$command"; one "$new" "$OUT/new/$number" "$command"
  exit
fi
rm -rf "$OUT"; mkdir -p "$OUT/old" "$OUT/new"
commands | awk '!seen[$0]++' | grep -F -e "$word" | awk -v every="$EVERY" '(NR - 1) % every == 0 { printf "%04d %s\n", NR, $0 }' >"$OUT/commands"
tr '\n' '\0' <"$OUT/commands" | xargs -0 -P "$JOBS" -I{} sh "$0" "$old" "$new" "" {}

numbers() { grep -v '^exit' "$1" | grep -oE '[0-9]+([.,/][0-9]+)*'; }
ended() { tail -1 "$1"; }
: >"$OUT/diff"
while read -r number command; do
  a=$OUT/old/$number b=$OUT/new/$number
  cmp -s "$a" "$b" && continue
  if [ "$(ended "$a")" != "$(ended "$b")" ]; then kind=exit
  elif [ "$(numbers "$a")" != "$(numbers "$b")" ]; then kind=numbers
  else kind=words; fi
  printf '%-8s%s %s\n' "$kind" "$number" "$command"
  { echo "== $kind $number $command"; diff "$a" "$b"; } >>"$OUT/diff"
done <"$OUT/commands" >"$OUT/differ"
cat "$OUT/differ"
echo "$(wc -l <"$OUT/commands") commands, $(wc -l <"$OUT/differ") differ: $(cut -d' ' -f1 "$OUT/differ" | sort | uniq -c | awk '{ printf "%s%s %s", s, $1, $2; s = ", " }')"
[ ! -s "$OUT/differ" ]
