#!/bin/sh
# Plots: every kind in every form, the same bytes twice, the points those of redblue table, and every kind of mistake.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
same() { if cmp -s "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: the files differ"; fi; }
rb() { "$REDBLUE" "$@"; }
draw() { # KIND: the arguments that draw a small one
  case $1 in
  memory) set -- matmul:m=6,n=5,k=4 --sweep M=2..128*8 --columns 'tuned(resident),tuned(tiled),bound' ;;
  gap) set -- matmul:n=5,k=4 --sweep m=4,8 --sweep M=2,16 --columns 'tuned(resident)/bound' ;;
  esac
  echo "$@"
}
for kind in memory gap; do
  rm -f "$t"/a.* "$t"/b.*
  for form in svg pdf png tex; do
    rb plot --kind $kind $(draw $kind) -o "$t/a.$form"; ok "$kind $form" $? 0
    rb plot --kind $kind $(draw $kind) -o "$t/b.$form" --jobs 2
    same "$kind $form twice" "$t/a.$form" "$t/b.$form"
  done
  ok "$kind is SVG" "$(grep -c '</svg>' "$t/a.svg")" 1
  ok "$kind is PDF" "$(head -c 5 "$t/a.pdf")" "%PDF-"
  ok "$kind is PNG" "$(head -c 4 "$t/a.png" | tail -c 3)" "PNG"
  ok "$kind is pgfplots" "$(grep -c 'begin{axis}\|end{axis}' "$t/a.tex")" 2
  ok "$kind: braces close" "$(tr -cd '{' < "$t/a.tex" | wc -c)" "$(tr -cd '}' < "$t/a.tex" | wc -c)"
done
rb plot $(draw memory) --format svg > "$t/out.svg"; rb plot $(draw memory) -o "$t/file.svg"
same "standard output" "$t/out.svg" "$t/file.svg"

# the points are the table's
rb plot $(draw memory) --json | tr -d ' ' > "$t/memory.json"
points=$(sed 's/.*"expression":"tuned(resident)","role":"value","trust":"counted","y":\[\([^]]*\)\].*/\1/; s/"//g' "$t/memory.json")
table=$(rb table --spec matmul:m=6,n=5,k=4 --sweep M=2..128*8 --columns 'tuned(resident)' --format csv | tail -n +2 | cut -d, -f2 | paste -sd,)
ok "points" "$points" "$table"
case $table in *overflow*) ok "some M is too small" 1 1 ;; *) ok "some M is too small" "$table" "with overflow" ;; esac
ok "regimes begin with the axis" "$(grep -c '"regimes":\[{"theorem":"[a-z0-9-]*","from":2,' "$t/memory.json")" 1

# two computations: where the least changes
printf 'param n\ninput A[n*n]\noutput B[i:n*n] = A[i]\n' > "$t/square.cdag"
printf 'param n\ninput A[12*n]\noutput B[i:12*n] = A[i]\n' > "$t/line.cdag"
rb plot --kind length "$t/square.cdag" "$t/line.cdag" --sweep n=2..64*2 -M 8 --columns '1*bound' --json | tr -d ' ' > "$t/cross.json"
ok "the crossing" "$(grep -c '"after":8,"before":16,"estimate":1[12]' "$t/cross.json")" 1
rb plot --kind length "$t/square.cdag" "$t/line.cdag" --sweep n=2..64*2 -M 8 --columns '1*bound' -o "$t/cross.png"; ok "its picture" $? 0

# more curves than colours: colour, mark and dash are never all the same
rb plot dot:k=8 --sweep M=64,128,256 --columns "$(seq -s, -f 'bound+%g' 1 20)" --format tex > "$t/many.tex"
ok "twenty curves" "$(sed -n 's/^.addplot.color=\(.*\), unbounded.*/\1/p' "$t/many.tex" | sort -u | wc -l | tr -d ' ')" 20
ok "no colour comes twice with the same mark" "$(sed -n 's/^.addplot.color=\([^}]*}\).*mark=\([a-z*]*\),.*/\1 \2/p' "$t/many.tex" | sort -u | wc -l | tr -d ' ')" 20
ok "nor with the same dash" "$(sed -n 's/^.addplot.color=\([^}]*}\).*solid}\(.*\), unbounded.*/\1 \2/p' "$t/many.tex" | sort -u | wc -l | tr -d ' ')" 20
# text is text
rb plot attention:n=8,d=2 --sweep M=16,32,64 --columns 'tuned(attenio),bound' --title 'a < b & "c"' --width 252 --format svg > "$t/text.svg"
ok "the title" "$(grep -c '>a &#60; b &#38; &#34;c&#34;</text>' "$t/text.svg")" 1
ok "names and ticks" "$(grep -c '>lower bound</text>\|>attenio</text>\|>64</text>' "$t/text.svg")" 3
ok "no outlines of letters" "$(grep -c '<symbol\|glyph' "$t/text.svg")" 0
ok "the width" "$(grep -c '<svg.* width="252' "$t/text.svg")" 1
if command -v python3 > /dev/null; then python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$t/text.svg"; ok "well-formed" $? 0; fi
rb plot attention:n=8,d=2 --sweep M=16,32,64 --columns 'tuned(attenio),bound' --title '' --format svg > "$t/text.svg"; ok "no title" "$(grep -c 'attention:n=8' "$t/text.svg")" 0
# bars
for form in svg pdf png tex; do rb plot --kind bar attention:d=2 --sweep 'n=8..32*2 M=attenio' --columns 'a = time(attenio),flat = time(flat)' -o "$t/bar.$form"; ok "bars: $form" $? 0; done
ok "bars" "$(grep -c 'addplot.draw=none' "$t/bar.tex")" 2
ok "their axis" "$(grep -c 'seconds, by the model of time' "$t/bar.svg")" 1

rb plot $(draw memory) --caption '50% & more' --label fig:m --format tex > "$t/figure.tex"
ok "caption" "$(grep -c 'caption{50\\% \\& more}' "$t/figure.tex")" 1
ok "label" "$(grep -c 'label{fig:m}' "$t/figure.tex")" 1
if command -v pdflatex > /dev/null && [ -n "$(kpsewhich pgfplots.sty)" ]; then
  for tex in figure a many bar; do
    { printf '%s\n' '\documentclass{article}\usepackage{pgfplots}\pgfplotsset{compat=1.16}\begin{document}'; cat "$t/$tex.tex"; printf '%s\n' '\end{document}'; } > "$t/whole.tex"
    (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode whole.tex > tex.log 2>&1); ok "LaTeX compiles $tex" $? 0
    ok "no label hangs out of the page: $tex" "$(grep -c '^Overfull' "$t/tex.log")" 0
  done
else
  echo "skipped: pgfplots is not compiled, there is no pdflatex with pgfplots here"
fi

bad() { want=$1; shift; rb plot "$@" > "$t/bad" 2> "$t/why"; ok "exit of plot $*" $? "$want"; ok "a sentence for plot $*" "$(grep -c '^redblue: ' "$t/why")" 1; }
s=attention:n=8,d=2
bad 2 $s --kind memroy
bad 2 $s --format gif
bad 2 $s --sweep M=8 --columns bound --width 20
bad 2 $s --sweep M=8 --columns bound --width wide
bad 2 $s -o "$t/picture"
bad 2 $s --columns nothing --sweep M=8
bad 2 $s --sweep 'M=8,4' --columns bound
bad 2 $s $s --sweep M=8 --columns bound
bad 2 --kind length $s --sweep n=8,16 --columns bound
bad 2 --kind length attention --sweep 'n=8,16 d=2,3' -M 40 --columns bound
bad 2 --kind gap attention:d=2 --sweep 'n=8,16 M=20,40' --columns bound,gap
bad 2 $s --sweep M=4 --columns 'tuned(attenio)'
bad 2 nothing:n=8 --sweep M=4 --columns bound
rb plot $s --sweep M=16,32 --columns bound -o "$t/no/such.svg" 2> /dev/null; ok "a folder that is not there" $? 3
rm -rf "$t"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
