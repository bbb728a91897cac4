#!/bin/sh
# The tuner's record for a paper: it says what the record in JSON says, and LaTeX compiles it, with every kind of search and odd names.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
cat > "$t/odd_name.sched" <<'E2'
schedule odd for attention
param rows_1 = auto
for I in n by rows_1 { load Q[I,*] for j in nk { load K[j,*] compute S[I,j,*] dropping S drop K[j,*] compute P[I,j] dropping S compute L[I,j] dropping L
  load V[j,*] compute Z[I,*,j] dropping Z drop V[j,*], P[I,j] } drop Q[I,*] compute O[I,*] dropping Z drop L[I,nk-1] store O[I,*] drop O[I,*] }
E2
record() { # SPEC SCHED M
  "$REDBLUE" tune "$1" "$2" -M "$3" --latex > "$t/one.tex"; ok "$1 $2" $? 0
  io=$("$REDBLUE" tune "$1" "$2" -M "$3" --json | sed 's/.*"io": \([0-9]*\).*/\1/')
  ok "$1 $2: the words moved" "$(grep -c "\\b$io\\b" "$t/one.tex")" 1
  cat "$t/one.tex" >> "$t/body.tex"; echo >> "$t/body.tex"
}
record attention:n=8K,d=64 attenio 64K               # one parameter, proved by the formula
record attention:n=8K,d=64 standard 64K              # two
record attention-sparse:n=48,d=3,b=6 flash1 120      # no formula
record matmul:m=40,n=50,k=60 resident:a=auto,c=auto 200
record attention:n=40,d=3 "$t/odd_name.sched" 90
ok "what was searched, as a formula" "$(grep -c 'I/O = [$]1048576 + 1048576 .*ceil 8192/a.* for every setting' "$t/body.tex")" 1
ok "a formula" "$(grep -cF 'It moves $2 n d + 2 n d \lceil n/a\rceil $ words' "$t/body.tex")" 1
"$REDBLUE" tune attention:n=8,d=2 attenio -M 5 --latex > "$t/none.tex" 2> "$t/err"; ok "nothing fits" "$?$(cat "$t/none.tex")" 1
if command -v pdflatex > /dev/null; then
  { printf '%s\n' '\documentclass{article}\begin{document}\sloppy'; cat "$t/body.tex"; printf '%s\n' '\end{document}'; } > "$t/doc.tex"
  (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode doc.tex > tex.log 2>&1); ok "LaTeX compiles" $? 0
  [ -f "$t/doc.pdf" ]; ok "a page" $? 0
else
  echo "skipped: LaTeX is not compiled, there is no pdflatex here"
fi
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
