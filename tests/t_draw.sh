#!/bin/sh
# Drawings: every form, the same bytes twice, as many marks as there are vertices and edges, pebbles that are those of the play, and mistakes.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
rb() { "$REDBLUE" "$@"; }
count() { grep -c "$1" "$t/$2"; }

for form in svg pdf png tex; do
  rb draw matmul:m=2,n=3,k=2 -o "$t/a.$form"; ok "$form" $? 0
  rb draw matmul:m=2,n=3,k=2 -o "$t/b.$form"; ok "$form twice" "$(cmp "$t/a.$form" "$t/b.$form" && echo same)" same
done
ok "PDF" "$(head -c 5 "$t/a.pdf")" "%PDF-"
ok "PNG" "$(head -c 4 "$t/a.png" | tail -c 3)" "PNG"
# 10 inputs, 12 products of which 6 are outputs, 18 edges
ok "inputs are squares" "$(grep -c '<rect x=' "$t/a.svg")" 10
ok "vertices are discs, outputs have two rims" "$(count '<circle' a.svg)" 18
ok "edges, each with its head" "$(count 'stroke-width="0.70"' a.svg) $(count '^<path.*Z"' a.svg)" "$(rb cdag matmul:m=2,n=3,k=2 --json | sed 's/.*"edges": \([0-9]*\).*/\1 \1/')"
ok "names" "$(grep -o '>[ABC][^<]*</text>' "$t/a.svg" | tr -d '\n')" ">A</text>>B</text>>C[i,j,l]</text>"
rb draw tree:h=3 depth-first -M 6 --format tikz >"$t/b.tex"; rb draw tree:h=3 depth-first -M 6 -o "$t/c.tex"; cmp -s "$t/b.tex" "$t/c.tex"; ok "TikZ by its name" $? 0
ok "TikZ: the same marks" "$(count 'circle (' a.tex) $(count 'rectangle' a.tex)" "18 10"
ok "TikZ: braces close" "$(tr -cd '{' <"$t/a.tex" | wc -c)" "$(tr -cd '}' <"$t/a.tex" | wc -c)"
if command -v python3 >/dev/null; then python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$t/a.svg"; ok "well-formed" $? 0; fi
if command -v pdflatex >/dev/null && [ -n "$(kpsewhich tikz.sty)" ]; then
  { printf '%s\n' '\documentclass{article}\usepackage{tikz}\begin{document}'; cat "$t/a.tex"; printf '%s\n' '\end{document}'; } >"$t/doc.tex"
  (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode doc.tex >tex.log 2>&1); ok "LaTeX compiles" $? 0
fi

# pebbles at a moment: those that the moves so far leave, replayed here by hand
rb moves tree:h=3 depth-first -M 6 | grep -v '^schedule' >"$t/moves"
for at in 0 3 7 12; do
  rb draw tree:h=3 depth-first -M 6 --at $at --format svg >"$t/at.svg"
  want=$(head -n $at "$t/moves" | awk '$1 == "load" || $1 == "compute" { red[$2] = 1 } $1 == "drop" { delete red[$2] } $3 == "dropping" { delete red[$4] }
    $1 == "store" { blue++ } END { for (v in red) n++; print n + 0, 8 + blue }')
  ok "red and blue after move $at" "$(count 'fill="#cd2d28"' at.svg) $(count 'stroke="#1964be"' at.svg)" "$want"
done
# the order: every computed vertex has a number of its own
rb draw tree:h=3 depth-first -M 6 --format svg >"$t/order.svg"
ok "numbers" "$(grep -o '>[0-9]*</text>' "$t/order.svg" | tr -dc '0-9\n' | sort -n | paste -sd' ')" "1 2 3 4 5 6 7"
rb draw tree:h=3 depth-first -M 6 --segment 4 --format svg >"$t/segment.svg"
ok "segments" "$(grep -o '>[0-9]*</text>' "$t/segment.svg" | tr -dc '0-9\n' | sort -n | uniq -c | awk '{ print $2 }' | paste -sd' ')" "1 2"
printf '4 4\n0 1\n1 2\n2 3\n1 3\n' >"$t/g.edges"
rb draw "$t/g.edges" --title 'a < b' --width 300 --format svg >"$t/g.svg"
ok "a graph, its title, its width" "$(count '<circle' g.svg) $(count 'a &#60; b' g.svg) $(count 'width="300' g.svg)" "4 1 1" # three vertices, and the output's second rim
# a moment of a wavefront bound: a flow of 9, and a cut of an input and four other vertices that weighs 9
rb draw pyramid:h=6 -M 4 --wavefront --format svg >"$t/wave.svg"
ok "a wavefront: x, the cut, the flow" "$(count 'fill="#cd2d28"' wave.svg) $(count 'fill="#e69f00"' wave.svg) $(count 'stroke-width="1.80"' wave.svg)" "1 5 $(rb bound pyramid:h=6 -M 4 --theorem wavefront --certificate - | sed 's/.*"along":\[\([^]]*\)\].*/\1/' | tr ',' '\n' | wc -l | awk '{ print $1 / 3 }')"
ok "its bound" "$(grep -o 'the bound is [0-9]* + [0-9]*' "$t/wave.svg" | awk '{ print $4 + $6 }')" "$(rb bound pyramid:h=6 -M 4 --theorem wavefront --certificate - | sed 's/.*"value": \([0-9]*\).*/\1/')"

bad() { want=$1; shift; rb "$@" >"$t/out" 2>"$t/err"; ok "$*" $? "$want"; grep -q '^redblue: ..........' "$t/err" || ok "$*: a sentence" no yes; }
bad 4 draw matmul:m=20,n=20,k=20
bad 3 draw tree:h=3 depth-first -M 2
bad 2 draw tree:h=3 depth-first -M 6 --at 1000
bad 2 draw tree:h=3 --at 3
bad 2 draw tree:h=3 depth-first -M 6 --at 3 --segment 4
bad 2 draw tree:h=3 --wavefront
bad 2 draw tree:h=3 depth-first -M 6 --wavefront
bad 3 draw chain:n=9 -M 4 --wavefront
bad 2 draw tree:h=3 -o "$t/x.gif"
rm -rf "$t"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
