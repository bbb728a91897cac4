#!/bin/sh
# Tables: the same bytes whatever the jobs, shards that join, sweeps that resume, every dress, every kind of mistake.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
same() { if cmp -s "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: the files differ"; diff "$2" "$3" | head -5; fi; }
rb() { "$REDBLUE" "$@"; }
rows() { sed "s/,[^,]*$//"; } # a CSV without its checks
# few rows, as each tunes every schedule there is, but every kind: whole numbers and fractions, several best schedules; 4 rows make 3 unequal shards
set -- --spec attention --sweep 'd=2,4 n=8 M=16..32*2' --columns 'bound,tuned(attenio),ratio(attenio),gap,best_name'

rb table "$@" --format csv > "$t/one.csv"; ok "a sweep" $? 0
ok "rows" "$(wc -l < "$t/one.csv")" 5
ok "several best schedules" "$([ "$(rows < "$t/one.csv" | sed '1d;s/.*,//' | sort -u | wc -l)" -gt 1 ] && echo yes)" yes
# lu: its two best bounds beside each other, the first only when nothing is computed twice
once=$(rb table --spec examples/polybench/lu.cdag --sweep 'n=80 M=40' --columns 'bound(one-shot),bound(affine-one-shot),bound,bound(affine)' --format csv | rows | sed 1d)
ok "one-shot beside recomputation" "$(echo "$once" | awk -F, '$3 == $4 && $5 == $6 && $3 > $5 { print "yes" }')" yes

rb table "$@" --format csv --jobs 3 > "$t/three.csv"; same "three jobs" "$t/one.csv" "$t/three.csv"
for i in 1 2 3; do rb table "$@" --shard $i/3 > "$t/s$i.csv"; done
rb table --join "$t/s1.csv" "$t/s2.csv" "$t/s3.csv" > "$t/joined.csv"; same "shards joined" "$t/one.csv" "$t/joined.csv"
rb table --join "$t/s3.csv" "$t/s1.csv" "$t/s2.csv" > /dev/null 2>&1; ok "shards out of order" $? 3
rb table --join "$t/s1.csv" "$t/one.csv" > /dev/null 2>&1; ok "shards of unequal length" $? 3
rb table --join "$t/s1.csv" "$t/s2.csv" "$t/../$(basename "$t")/s1.csv" > "$t/out" 2> "$t/err"; ok "a shard named twice" $? 2
grep -q 's1.csv is named twice: as shard 1 and as shard 3' "$t/err"; ok "a shard named twice, in words" $? 0
cp "$t/s1.csv" "$t/equal.csv"; rb table --join "$t/s1.csv" "$t/equal.csv" > "$t/out" 2> "$t/err"; ok "a copy in the place of another shard" $? 3
head -c 200 "$t/one.csv" > "$t/partial.csv"; ok "cut in the middle of a line" "$(tail -c 1 "$t/partial.csv" | wc -l)" 0
rb table "$@" --resume "$t/partial.csv" > "$t/resumed.csv"; same "resumed" "$t/one.csv" "$t/resumed.csv"
rb table --spec attention --sweep 'd=2 n=8 M=20' --columns 'bound' --resume "$t/partial.csv" > /dev/null 2>&1; ok "a CSV of another table" $? 3

# an interrupt keeps the rows that came before, and the rest follows
set -- --spec matmul --sweep 'm=8..27+1 n=8 k=8 M=40' --columns 'bound,io(naive)' --format csv
"$REDBLUE" table "$@" --jobs 2 > "$t/cut.csv" 2> "$t/cut.err" & pid=$!
touch "$t/cut.csv"; i=0; while [ "$(wc -l < "$t/cut.csv")" -lt 3 ] && [ $i -lt 200 ]; do sleep 0.02; i=$((i + 1)); done
kill -INT $pid; wait $pid; ok "an interrupt gives up" $? 4
ok "whole lines only" "$(tail -c 1 "$t/cut.csv" | od -An -c | tr -d ' ')" '\n'
ok "and not all" "$([ "$(wc -l < "$t/cut.csv")" -lt 21 ] && echo yes)" yes
rb table "$@" --jobs 2 > "$t/whole.csv"; rb table "$@" --jobs 2 --resume "$t/cut.csv" > "$t/resumed.csv"; same "interrupted, then resumed" "$t/whole.csv" "$t/resumed.csv"

# the commands of docs/tables.md and docs/slurm-array.sh, for many machines
if parallel --version 2> /dev/null | grep -q GNU; then
  mkdir "$t/many"; printf 'spec attention\nsweep d=2,4\nsweep n=8..64*2\nsweep M=16..256*2\ncolumn a = tuned(attenio)\n' > "$t/many/f.table"
  rb table "$t/many/f.table" --format csv > "$t/many.csv"
  (cd "$t/many" && ln -s "$REDBLUE" redblue && PATH=$t/many:$PATH parallel --will-cite redblue table f.table --shard {}/8 -o {}.csv ::: 1 2 3 4 5 6 7 8 < /dev/null)
  rb table --join "$t"/many/[1-8].csv > "$t/joined.csv"; same "GNU parallel" "$t/many.csv" "$t/joined.csv"
  for i in 1 2 2 3; do (cd "$t/many" && { [ $i != 2 ] || [ ! -f shard-2.csv ] || { head -c 90 shard-2.csv > cut && mv cut shard-2.csv; }; } && SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=3 PATH=$t/many:$PATH bash "$OLDPWD/docs/slurm-array.sh" f.table); done
  rb table --join "$t"/many/shard-[1-3].csv > "$t/joined.csv"; same "a Slurm array" "$t/many.csv" "$t/joined.csv"
else
  echo "skipped: there is no GNU parallel here"
fi

# numbers that are known
rb table --spec attention --sweep 'n=8..16*2 d=2 M=20' > "$t/quoted"; rb table --sweep n=8..16*2 d=2 M=20 > "$t/words"; same "settings as words, attention unless said" "$t/quoted" "$t/words"
ok "a play's count" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns 'io(attenio),io(attenio:a=1)' --format csv | tail -1 | rows)" "8,2,20,160,288"
ok "a schedule that does not fit" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns 'io(attenio:a=7)' --format csv | tail -1 | rows)" "8,2,20,overflow"
sed '/store/d' schedules/library/chain.stream.sched > "$t/none.sched"
ok "a schedule that stores no output" "$(rb table --spec chain --sweep 'n=8 M=20' --columns "io(stream),io($t/none.sched),intensity($t/none.sched)" --format csv | tail -1 | rows)" "8,20,2,illegal,illegal"
ok "exact arithmetic" "$(rb table --spec chain --sweep 'n=10' --columns '2^70/2^10 + n, ceil(n/3), floor(-7/2), min(n,3)' --format csv | tail -1 | rows)" "10,1152921504606846986,4,-4,3"
ok "json" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns 'io(attenio)' --json)" '{"schema": 1, "caption": "", "spec": "attention", "columns": [{"title": "n", "expression": "n", "trust": "set"}, {"title": "d", "expression": "d", "trust": "set"}, {"title": "M", "expression": "M", "trust": "set"}, {"title": "io(attenio)", "expression": "io(attenio)", "trust": "counted"}], "rows": [{"n": 8, "d": 2, "M": 20, "io(attenio)": 160}], "computation": "attention", "version": "'"$(rb --version | sed 's/redblue //')"'"}'

# tuned products, no worse than figures reached by another program with farthest-next-use eviction
for row in '64 256 40395' '32 256 6712' '32 64 11008' '16 64 1485' '8 16 416'; do
  set -- $row
  io=$(rb table --spec matmul --sweep "m=$1 n=$1 k=$1 M=$2" --columns 'tuned(resident)' --format csv | tail -1 | rows | sed 's/.*,//')
  ok "resident $1^3 at $2: $io" "$([ "$io" -le "$3" ] && echo yes)" yes
done

# titles, fractions, files beside the table, what is missing, times
ok "titles on the command line" "$(rb table --sweep 'n=8 d=2 M=20' --columns '"I/O, best" [1] = tuned(attenio),own = io(attenio:a=1)' --format text | tr -s ' ' | paste -sd'|')" "n d M I/O, best own|8 2 20 160.0 288"
ok "a factor that is no whole number" "$(rb table --spec chain --sweep 'n=1..64*1.5' --columns n --format csv | rows | paste -sd' ')" "n 1 2 3 5 8 11 17 26 38 58"
ok "and to the very end" "$(rb table --spec chain --sweep 'n=4..64*2.0' --columns n --format csv | rows | paste -sd' ')" "n 4 8 16 32 64"
ok "no number" "$(rb table --sweep 'n=8 d=2 M=3,20' --columns 'io(attenio)' --missing NaN --format csv | rows | paste -sd' ')" "n,d,M,io(attenio) 8,2,3,NaN 8,2,20,160"
ok "no number, empty" "$(rb table --sweep 'n=8 d=2 M=3' --columns 'io(attenio)' --missing '' --format csv | rows | tail -1)" "8,2,3,"
ok "no number, JSON" "$(rb table --sweep 'n=8 d=2 M=3' --columns 'io(attenio)' --missing NaN --json | grep -c '"io(attenio)": null')" 1
mkdir "$t/beside"; printf 'param n\ninput A[n]\noutput B[i:n] = A[i]\n' > "$t/beside/own.cdag"; printf 'for i in n { load A[i] compute B[i] dropping A store B[i] drop B[i] }\n' > "$t/beside/own.sched"
printf 'caption own.cdag\ncase own.cdag:n=4 M=3 by=./own.sched\nmissing -\ncolumn io = io(by)\ncolumn same = io(own.sched)\ncolumn no = bound(crossings)\n' > "$t/beside/own.table"
ok "files beside the table" "$(rb table "$t/beside/own.table" | tr -s ' ' | paste -sd'|')" "own.cdag||io same no| 8 8 -"
ok "the least memory" "$(rb table --spec matvec --sweep 'm=8 n=8' --columns 'memory(79),memory(80),memory(m*n*2),memory(256/sqrt(4)),1K' --format csv | tail -1 | rows)" "8,8,none,8,3,3,1024"
ok "a time" "$(rb table --sweep 'n=8192 d=64 M=attenio' --columns 'time(attenio),time(flat, none)/time(attenio, everything, attenio),time(attenio,none),intensity(attenio)' | tail -1 | tr -s ' ')" "8192 64 262144 0.00477 1.941 0.00487 1376"
for wrong in 'time(attenio)' 'time(attenio, never, attenio)' 'time(attenio,a100-l1)' 'intensity(attneio)'; do rb table --sweep 'n=8 d=2 M=20' --columns "$wrong" > "$t/out" 2> "$t/err"; ok "$wrong" $? 2; done
rb table --sweep 'n=8 d=2 M=20' --format latex --fit room > "$t/out" 2> "$t/err"; ok "no such fit" $? 2

cat > "$t/f.table" <<'E2'
caption A % table # with a comment
label tab:x
spec attention
sweep d = 2, 4
sweep n = 8, 16
sweep M = 40
column n = n
column "I/O" = io(attenio)
hidden twice = 2 * io(attenio)
column over [2] = twice / bound
summary geomean by d
E2
rb table "$t/f.table" > "$t/text"; ok "a file" $? 0
ok "summaries" "$(grep -c mean "$t/text")" 2
rb table "$t/f.table" --format latex > "$t/x.tex"; ok "latex escapes" "$(grep -c 'A \\% table' "$t/x.tex")" 1
rb table "$t/f.table" --format markdown > "$t/md"; ok "markdown" "$(head -1 "$t/md" | cut -c1-4)" "| d "
ok "latex: titles in several lines" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns 'words of the others = 4*n' --format latex | grep -c 'begin{tabular}\[b\]{@{}r@{}}words of')" 1
ok "latex: titles that are formulas, and I/O, which is none" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns '"14 n^2 d^2/M" = 7,I/O = 3,bound' --format latex | grep '14' | head -1 | tr -s ' ')" ' $n$ & $d$ & $M$ & $14 n^{2} d^{2}/M$ & I/O & bound \\'
ok "latex: digits in groups" "$(rb table --spec attention --sweep 'n=8 d=2 M=20' --columns '0-1234567,12345/8' --format latex | grep -c '\$-\$1\\,234\\,567 & 1543.125')" 1
if command -v pdflatex > /dev/null && [ -n "$(kpsewhich booktabs.sty)" ]; then
  { printf '%s\n' '\documentclass{article}\usepackage{booktabs}\begin{document}'; cat "$t/x.tex"; printf '%s\n' '\end{document}'; } > "$t/doc.tex"
  (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode doc.tex > tex.log 2>&1); ok "latex compiles" $? 0
  # fifteen columns, made to fit
  for fit in column page; do
    { printf '%s\n' '\documentclass[twocolumn]{article}\usepackage{booktabs,graphicx}\begin{document}'; rb table --sweep 'n=8 d=2 M=20' --columns '2^40,2^41,2^42,2^43,2^44,2^45,2^46,2^47,2^48,2^49,2^50,2^51' --format latex --fit $fit; printf '%s\n' 'x\end{document}'; } > "$t/fit.tex"
    (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode fit.tex > fit.log 2>&1); ok "latex fits a $fit" "$? $(grep -c '^Overfull' "$t/fit.log")" "0 0"
  done
  ok "latex: no line too wide" "$(grep -c '^Overfull' "$t/tex.log")" 0
else
  echo "skipped: LaTeX is not compiled, there is no pdflatex with booktabs here"
fi

# cases: each with the whole sweep; shards and resumed files know them apart
cat > "$t/cases.table" <<'E2'
case attention:n=8 who="first one" sched=attenio term="2*n*d"
case attention:n=16 who=second sched=attenio:a=1 term=7
case attention:n=8 who=third sched=attenio:a=99 term="4 * n"
sweep d = 2, 3
sweep M = 40, attenio
column who = who
column M = M
column on = machine
column "I/O" = io(sched)
column term [math] = term
column value = value(term)
column least = min(io(sched), 1000, value(term))
E2
rb table "$t/cases.table" --format csv > "$t/c.csv"; ok "cases" $? 0
ok "their rows" "$(sed -n '2p;3p;6p;10p' "$t/c.csv" | rows | paste -sd' ')" \
  "1,2,first one,40,none,96,2*n*d,32,32 1,2,first one,262144,attenio,64,2*n*d,32,32 2,2,second,40,none,1088,7,7,7 3,2,third,40,none,overflow,4 * n,32,32"
for i in 1 2 3 4 5; do rb table "$t/cases.table" --shard $i/5 > "$t/k$i.csv"; done
rb table --join "$t"/k[1-5].csv > "$t/joined.csv"; same "shards of cases" "$t/c.csv" "$t/joined.csv"
head -c 250 "$t/c.csv" > "$t/partial.csv"; rb table "$t/cases.table" --resume "$t/partial.csv" --format csv > "$t/resumed.csv"; same "cases resumed" "$t/c.csv" "$t/resumed.csv"
ok "a formula" "$(rb table "$t/cases.table" --format latex | grep -c '\$2\\,n\\,d\$')" 4
wrong() { what=$1; shift; printf '%s\n' "$@" > "$t/w.table"; rb table "$t/w.table" > "$t/out" 2> "$t/err"; ok "$what: exit" $? "${code:-3}"; ok "$what: a sentence" "$(grep -c '^redblue: ' "$t/err")" 1; }
wrong "a case without a computation" "case"
wrong "no value" "case chain:n=3 who"
wrong "no such machine" "case chain:n=3 M=attneio"
code=2
wrong "spec and cases" "spec chain" "case chain:n=3"
wrong "M twice" "case chain:n=3 M=4" "sweep M = 5"
wrong "value of nothing" "case chain:n=3 M=4" "column a = value(b)"
wrong "a word that is no expression" "case chain:n=3 M=4 b=\"2*(3\"" "column a = value(b)"
wrong "the nearest function" "case chain:n=3 M=4" "column a = bounb(compulsory)"; ok "function" "$(grep -c 'did you mean bound?' "$t/err")" 1
wrong "the nearest name" "case chain:n=3 M=4" "column a = theorme"; ok "name" "$(grep -c 'did you mean theorem?' "$t/err")" 1

refuse() { name=$1 code=$2; shift 2; rb table "$@" > "$t/out" 2> "$t/err"; ok "$name" $? "$code"; ok "$name: a sentence" "$(grep -c '^redblue: ' "$t/err")" 1; }
echo 'sweep n = 1' > "$t/none.table"
refuse "no spec" 2 "$t/none.table"
refuse "two files" 2 "$t/none.table" "$t/none.table"
refuse "a setting without --sweep" 3 n=1
refuse "no sweep" 2 --spec attention
refuse "bad range" 2 --spec chain --sweep 'n=1..x'
refuse "swept twice" 2 --spec chain --sweep 'n=1 n=2'
refuse "no function" 2 --spec chain --sweep 'n=3' --columns 'foo(3)'
refuse "no name" 2 --spec chain --sweep 'n=3' --columns 'foo'
refuse "open bracket" 2 --spec chain --sweep 'n=3' --columns '(1+2'
refuse "no memory" 2 --spec chain --sweep 'n=3' --columns 'bound'
refuse "no schedule" 2 --spec attention --sweep 'n=8 d=2 M=20' --columns 'io(attneio)'
refuse "shard 3/2" 2 --spec chain --sweep 'n=3' --columns n --shard 3/2
refuse "no such file" 3 "$t/nowhere.table" --sweep n=3
printf 'colunm a = b\n' > "$t/bad.table"; refuse "a word misspelt" 3 "$t/bad.table"; ok "where" "$(grep -c 'bad.table:1:1: .*did you mean column' "$t/err")" 1
rb table --spec chain --sweep 'n=1..3' --columns n > /dev/full 2> "$t/err"; ok "a full disk" $? 3
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
