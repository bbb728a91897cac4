#!/bin/sh
# With the plain build only: large tables; t_table.sh makes small ones.
# The tables of examples/paper: every one again gives the same bytes, whatever the processes; their LaTeX compiles and fits a page; and
# what they are printed for is in them.  Of the longest, of which nothing more is asked, one row of three; all with ROUNDS=3.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
rb() { "$REDBLUE" "$@"; }
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { print $c }' "$2"; }
latex=no; command -v pdflatex > /dev/null && [ -n "$(kpsewhich booktabs.sty)" ] && latex=yes
[ $latex = yes ] || echo "skipped: LaTeX is not compiled, there is no pdflatex with booktabs here"
for table in examples/paper/*.table; do
  name=$(basename "$table" .table)
  part=; [ "$name" != regimes ] || [ "${ROUNDS:-1}" -ge 3 ] || part="--shard 1/3"
  # shellcheck disable=SC2086
  rb table "$table" $part --format csv --jobs 2 -q > "$t/$name.csv"; ok "$name" $? 0
  # rows already there are not computed again: this one costs nothing
  # shellcheck disable=SC2086
  rb table "$table" $part --resume "$t/$name.csv" --format latex -q > "$t/$name.tex"; ok "$name: LaTeX" $? 0
  # shellcheck disable=SC2086
  rb table "$table" $part --resume "$t/$name.csv" --format csv -q | cmp -s - "$t/$name.csv"; ok "$name: read back" $? 0
  [ $latex = yes ] || continue
  { printf '%s\n' '\documentclass{article}\usepackage[a4paper,margin=2cm]{geometry}\usepackage{booktabs,graphicx}\begin{document}'
    cat "$t/$name.tex"; printf '%s\n' '\end{document}'; } > "$t/doc.tex"
  (cd "$t" && pdflatex -halt-on-error -interaction=nonstopmode doc.tex > tex.log 2>&1); ok "$name: compiles" $? 0
  ok "$name: fits" "$(grep -c '^Overfull' "$t/tex.log")" 0
done
for name in attenio; do # again, by one process
  rb table examples/paper/$name.table --format csv --jobs 1 -q | cmp -s - "$t/$name.csv"; ok "$name: the same bytes" $? 0
done
# AttenIO's figure: geometric means at d = 64 and 128
means() { rb table examples/paper/attenio.table --resume "$t/attenio.csv" --format text -q | awk '$1 == "mean" { print $3, $4, $5 }' | paste -sd' '; }
ok "AttenIO's figure" "$(means | awk '{ split("273.7 57.0 26.8 148.8 16.4 7.3", p, " "); for (i = 1; i <= 6; i++) if ($i > 1.01 * p[i] || $i < 0.99 * p[i]) bad++; print bad + 0 }')" 0
# AttenIO's speedups by the model: FLAT, Standard and FlashAttention-2 at d = 64 and 128, AttenIO alone overlapping, then everyone
speedups() { rb table examples/paper/attenio-speedup.table --resume "$t/attenio-speedup.csv" --format text -q | awk -v a="$1" '$1 == "mean" { print $(2 + a), $(5 + a), $(8 + a) }' | paste -sd' '; }
ok "AttenIO's speedups" "$(speedups 0) | $(speedups 1) | $(speedups 2)" "9.20 1.97 1.44 9.59 1.55 1.22 | 8.8 2.5 1.6 9.9 1.9 1.3 | 4.70 1.00 1.00 4.85 1.00 0.99"
# leading terms: a bound is within 20 % of its own, and nothing is played below a bound
ok "leading terms" "$(column 'over its term' "$t/summary.csv" | awk '$1 < 0.8 || $1 > 1.2 { n++ } END { print n + 0, NR }')" "0 12"
ok "no play below a bound" "$(column 'I/O over bound' "$t/summary.csv"; column Ratio "$t/shapes.csv"; column Ratio "$t/matmul.csv")" \
   "$( (column 'I/O over bound' "$t/summary.csv"; column Ratio "$t/shapes.csv"; column Ratio "$t/matmul.csv") | awk '$1 >= 1')"
ok "COSMA's Theorem 1 is beaten" "$(column 'Played / COSMA' "$t/matmul.csv" | awk '$1 < 1 { n++ } END { print (n >= 3) }')" 1
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
