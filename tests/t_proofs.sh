#!/bin/sh
# With the plain build only: the texts of the repository.
# The proofs' text: nothing is admitted, no axiom is declared, and what the documents say is proved is asked of Coq.
# Coq itself is asked by `make proofs`.
cd "$(dirname "$0")/.." || exit 1
passed=0; failed=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "$1"; }
files=$(find proofs -name '*.v')
# comments may speak of these; `Parameter` and `Axiom` may not occur, `Variable` and `Hypothesis` in a section only
bad=$(for f in $files; do
  awk -v f="$f" '
    /^[[:space:]]*(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture)([^a-zA-Z_]|$)/ || /[^a-zA-Z_](Admitted|admit)\./ { print f ":" NR ": " $0 }
    /^[[:space:]]*(Section|Module) / { depth++ }
    /^[[:space:]]*End / { depth-- }
    /^[[:space:]]*(Variable|Variables|Hypothesis|Hypotheses|Context)[^a-zA-Z_]/ && depth < 1 { print f ":" NR ": outside of a section: " $0 }
    /-type-in-type|Unset (Guard|Positivity|Universe) Checking|bypass_check/ { print f ":" NR ": " $0 }' "$f"
done)
[ -n "$files" ] && [ -z "$bad" ] && pass || fail "$bad"
# what docs/proofs.md and README.md call machine-checked is among the final statements
for name in $(sed -n 's/.*`\([A-Za-z0-9_.]*\)` (proofs\/[A-Za-z/]*\.v).*/\1/p' docs/proofs.md README.md | sort -u); do
  grep -Eq "^  @([A-Za-z]*\.)?$name(,|\)\.)$" proofs/Main.v && pass || fail "$name: Main.v does not ask what it rests on"
done
# and a file said to hold it holds it
while read -r name file; do
  grep -Eq "^(Theorem|Lemma) $name\b" "$file" && pass || fail "$file has no theorem $name"
done <<END
$(sed -n 's/.*`\([A-Za-z0-9_.]*\)` (\(proofs\/[A-Za-z/]*\.v\)).*/\1 \2/p' docs/proofs.md README.md | sort -u)
END
# the program names theorems that are there, and final
while read -r name file; do
  grep -Eq "^Theorem $name\b" "$file" && grep -Eq "^  @$name(,|\)\.)$" proofs/Main.v && pass || fail "redblue bounds: $name ($file)"
done <<END
$("$REDBLUE" bounds | sed -n 's/.*machine-checked: .* \([a-z0-9_]*\) (\(proofs.*\))$/\1 \2/p')
END
# a theorem has the certificate's integers
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
"$REDBLUE" bound matmul:m=30,n=20,k=10 -M 20 --theorem product-segment --certificate "$dir/c" --lower --coq "$dir/c.v" >/dev/null
sed 's/.*"value": \([0-9]*\).*"first": \([0-9]*\), "length": \([0-9]*\), "most_first": \([0-9]*\), "most": \([0-9]*\),.*/\2 \3 \4 \5 \1/' "$dir/c" >"$dir/numbers"
read -r f t hf ht v <"$dir/numbers"
grep -Eq "matmul_certificate game 20 30 20 10 $f $t [0-9]+ $hf $ht $v\)" "$dir/c.v" && pass || fail "not the certificate's integers: $(cat "$dir/numbers" "$dir/c.v")"
# where the proofs are built Coq accepts it; `make proofs` and `make certificates` ask many
if [ -f proofs/Main.out ] && command -v coqc >/dev/null; then
  coqc -w -notation-overridden,-ambiguous-paths -R proofs redblue "$dir/c.v" 2>&1 | grep -q "^Closed under the global context" && pass || fail "Coq refuses a certificate"
fi
# a computation is known by its text, not by its name
"$REDBLUE" cdag attention:n=8,d=2 --format cdag >"$dir/mine.cdag"
sed 's/^S\(.*\)Q\[i,k\]/S\1Q[i,0]/' "$dir/mine.cdag" >"$dir/other.cdag"
"$REDBLUE" bound "$dir/mine.cdag" -M 16 --theorem attention-segment --coq - | grep -q attention_certificate && pass || fail "a copy of a family"
cmp -s "$dir/mine.cdag" "$dir/other.cdag" && fail "the text was not changed"
"$REDBLUE" bound "$dir/other.cdag" -M 16 --theorem attention-segment --coq - >"$dir/out" 2>&1; [ $? = 4 ] && pass || fail "another text: $(cat "$dir/out")"
"$REDBLUE" bound matmul:m=9,n=9,k=9,acc=1 -M 16 --theorem product-segment --coq - | grep -q matmul_add_certificate && pass || fail "acc=1"
"$REDBLUE" bound cholesky:n=40 -M 16 --theorem elimination --coq - | grep -Eq 'cholesky_certificate game 16 40 0 ([0-9]+ ){5}[0-9]+\)' && pass || fail "Cholesky's factorisation, steps near each other"
"$REDBLUE" bound cholesky:n=1000 -M 64 --theorem elimination --coq - | grep -Eq 'cholesky_certificate game 64 1000 [0-9]+ ([0-9]+ ){5}[0-9]+\)' && pass || fail "Cholesky's factorisation"
"$REDBLUE" bound attention-causal-backward:n=16,d=2 -M 24 --theorem backward-14 --coq - | grep -q causal_backward_14_certificate && pass || fail "causal backward"
"$REDBLUE" bound attention-lowrank:n=24,d=2,r=4 -M 8 --theorem lowrank --coq - | grep -q lowrank_certificate && pass || fail "features"
"$REDBLUE" bound attention-backward:n=8,d=2,dv=3 -M 20 --theorem covering --coq - | grep -Eq 'covering_backward_certificate game 20 8 8 2 3 ([0-9]+ ){10}[0-9]+\)' && pass || fail "covering"
"$REDBLUE" bound attention:n=64,d=8,dv=3 -M 64 --theorem attention-three-way --coq - | grep -Eq '\(@three_ways_certificate game 64 64 64 8 3 ([0-9]+ ){5}[0-9]+\)' && pass || fail "three ways of counting"
"$REDBLUE" bound attention-causal:n=64,d=8 -M 64 --theorem attention-three-way --coq - | grep -Eq 'causal_three_ways_certificate game 64 64 8 8 ([0-9]+ ){5}[0-9]+\)' && pass || fail "three ways, causal"
"$REDBLUE" bound attention-causal:n=64,d=8 -M 32 --theorem attention-two-products --coq - | grep -Eq 'causal_two_products_certificate game 32 64 8 ([0-9]+ ){5}[0-9]+\)' && pass || fail "two products, causal"
# inputs besides: of the theorem that the certificate names, and a number for each pair
besides() { "$REDBLUE" bound "$1" -M "$2" --theorem pairs-and-inputs --coq - | grep -Eq "\(@besides_$3_certificate game $2 $4\)" && pass || fail "inputs besides of $1"; }
besides attention-backward:n=1K,d=4 512 backward_14 '1024 1024 4 4096 ([0-9]+ ){10}[0-9]+'
besides attention-backward:n=64,d=4,dv=3 512 covering_backward '64 64 4 3 192 ([0-9]+ ){10}[0-9]+'
besides attention-causal-backward:n=1K,d=4 512 causal_backward_14 '1024 4 4096 ([0-9]+ ){10}[0-9]+'
sed 's/^input .*/&, B[n,nk]/; s/^\(P.*\)/\1, B[i,j]/' cdag/families/attention.cdag >"$dir/bias.cdag"
besides "$dir/bias.cdag:n=64,d=4" 64 covering_attention '64 64 4 4 4096 ([0-9]+ ){7}[0-9]+'
sed 's/, B\[i,j\]/, B[j,i]/' "$dir/bias.cdag" >"$dir/other.cdag"
"$REDBLUE" bound "$dir/other.cdag:n=64,d=4" -M 64 --theorem pairs-and-inputs --coq - >"$dir/out" 2>&1; [ $? = 4 ] && pass || fail "another text: $(cat "$dir/out")"
# block masks: the list of what rows keep
masks() { "$REDBLUE" bound "$1" -M "$2" --theorem "$3" --lower --coq "$dir/c.v" >/dev/null 2>&1; grep -Eq "\(@$4_certificate game $2 $5\)" "$dir/c.v" && pass || fail "$3 of $1: $(grep apply "$dir/c.v")"; }
masks attention-sparse:n=19,nk=16,d=4,b=4,w=1 16 attention-segment listed '19 16 4 4 mask ([0-9]+ ){5}[0-9]+'
tr -d '\n ' <"$dir/c.v" | grep -Fq 'mask:Listed.listing:=[::(4,[::(0,8)]);(4,[::(0,12)]);(4,[::(4,16)]);(4,[::(8,16)]);(3,[::(12,16)])].' && pass || fail "the list of a band: $(grep -A 5 'mask :' "$dir/c.v")"
masks attention-sparse:n=64,d=8,b=8,w=2 32 attention-two-products listed_two_products '64 64 8 mask ([0-9]+ ){5}[0-9]+'
masks attention-sparse:n=64,d=8,b=8,w=2 64 attention-three-way listed_three_ways '64 64 8 8 mask ([0-9]+ ){5}[0-9]+'
masks attention-sparse-backward:n=512,d=8,b=64,w=2 1824 backward-12 listed_backward_12 '512 512 8 mask ([0-9]+ ){5}[0-9]+'
masks attention-sparse-backward:n=512,d=8,b=64,w=2 1824 backward-14 listed_backward_14 '512 512 8 mask ([0-9]+ ){10}[0-9]+'
masks attention-sparse-backward:n=4K,d=64,b=128,w=32 73728 pairs-and-inputs besides_listed_backward_14 '4096 4096 64 mask ([0-9]+ ){11}[0-9]+'
"$REDBLUE" cdag attention-sparse:n=64,d=4,b=8,w=2 --format cdag >"$dir/mine.cdag"
sed 's/^S\(.*\)K\[col\[I,q\]\*b+j,k\]/S\1K[col[I,0]*b+j,k]/' "$dir/mine.cdag" >"$dir/other.cdag"
cmp -s "$dir/mine.cdag" "$dir/other.cdag" && fail "the mask's text was not changed"
"$REDBLUE" bound "$dir/mine.cdag" -M 64 --theorem attention-segment --coq - | grep -q listed_certificate && pass || fail "a copy of a mask"
"$REDBLUE" bound "$dir/other.cdag" -M 64 --lower --json >"$dir/out" 2>&1; grep -q listed_certificate "$dir/out" && fail "another text of a mask" || pass
# gates of any text; of another text another claim
gates() { "$REDBLUE" bound "$1" -M "$2" --theorem "gates$4" --lower --coq "$dir/c.v" >/dev/null 2>&1; grep -Eq "\(@gates(_once)?_certificate game $2 text ends claim $3\)" "$dir/c.v" && pass || fail "gates of $1: $(grep apply "$dir/c.v")"
  if [ -f proofs/Main.out ] && command -v coqc >/dev/null; then
    coqc -w -notation-overridden,-ambiguous-paths -R proofs redblue "$dir/c.v" 2>&1 | grep -q "^Closed under the global context" && pass || fail "Coq refuses gates of $1"
  fi; }
gates examples/polybench/atax.cdag:m=20,n=30 10 1080
gates examples/polybench/deriche.cdag:w=20,h=30 10 1790
gates examples/polybench/durbin.cdag:n=60 10 1395
cat >"$dir/other.cdag" <<'END'
param n = 30, m = 20
input B[n,m]
R[i:n, j:m] = R[i,j-1], B[i,j]
Y[i:n, j:m] = Y[i-1,j], B[i,j], R[i,m-1]
output Y[n-1,*]
END
gates "$dir/other.cdag" 6 1070
# what waits on either side, when nothing is computed twice
gates examples/polybench/deriche.cdag:w=20,h=30 100 2102 -one-shot
grep -q 's -> one_shot s -> ' "$dir/c.v" && pass || fail "a bound that needs that nothing is computed twice: $(grep legal "$dir/c.v")"
# any affine text: its normal form, its regions, and the number
"$REDBLUE" bound examples/polybench/bicg.cdag:m=20,n=30 -M 10 --theorem compulsory --lower --coq "$dir/c.v" >/dev/null
grep -Fq '(@compulsory_certificate game text ends 700)' "$dir/c.v" && pass || fail "compulsory traffic: $(grep apply "$dir/c.v")"
grep -Fq 'Affine.Access 3%nat 0%nat [::]%num [::]%Z [:: (0, [:: 0; 1]); (0, [:: 1])]%Z' "$dir/c.v" && pass || fail "how q reads A: $(grep Access "$dir/c.v")"
if [ -f proofs/Main.out ] && command -v coqc >/dev/null; then
  coqc -w -notation-overridden,-ambiguous-paths -R proofs redblue "$dir/c.v" 2>&1 | grep -q "^Closed under the global context" && pass || fail "Coq refuses compulsory traffic"
fi
# grids, and pyramids, which are graphs: with the one output that Coq's has
coq() { "$REDBLUE" bound "$1" -M "$2" --theorem "$3" --coq - 2>"$dir/said" | sed -n 's/.*apply: (@\(.*\)); vm_compute.*/\1/p; s/^ *legal \([a-z]*\).*/\1/p' | tr '\n' ' '; }
[ "$(coq grid:r=100,c=120 8 pyramids)" = "game pyramids_everywhere_certificate game 8 100 120 14 1064 " ] && pass || fail "pyramids in all places"
[ "$(coq grid:r=40,c=30 13 pyramids)" = "game pyramids_side_by_side_certificate game 13 40 30 15 0 34 " ] && pass || fail "pyramids side by side"
[ "$(coq pyramid:h=40 8 crossings)" = "placing crossings_certificate 8 40 141 10 37 179 " ] && pass || fail "crossings are of the placing game"
"$REDBLUE" cdag pyramid:h=6 --format edges >"$dir/mine.edges"
{ cat "$dir/mine.edges"; echo "outputs 1 9"; } >"$dir/more.edges"
[ "$(coq "$dir/mine.edges" 4 crossings)" = "$(coq pyramid:h=6 4 crossings)" ] && [ -n "$(coq "$dir/mine.edges" 4 crossings)" ] && pass || fail "a pyramid from a file"
"$REDBLUE" bound "$dir/more.edges" -M 4 --json | grep -q '"name": "crossings"[^}]*"machine_checked": null' && pass || fail "a pyramid with two outputs is not Coq's"
# a statement of a user's own: its numbers, and what is another computation than they say
cat >"$dir/mine.cdag" <<'END'
param n = 40, f = 8, c = 6, k = 4, st = 2
input X[c,st*(n-1)+k], W[f,c,k]
O[i:f, x:n, s:c, a:k] = O[i,x,s,a-1], O[i,x,s-1,k-1+a], W[i,s,a], X[s,st*x+a]
output O[*,*,c-1,k-1]
END
"$REDBLUE" bound "$dir/mine.cdag" -M 12 --theorem affine --certificate "$dir/c" --lower --coq "$dir/c.v" >/dev/null
filter='(1%nat, [:: (0, [:: 1; 0; 0; 0]); (0, [:: 0; 0; 1; 0]); (0, [:: 0; 0; 0; 1])])'
image='(0%nat, [:: (0, [:: 0; 0; 1; 0]); (0, [:: 0; 2; 0; 1])])'
said="Statement.Text [:: 8; 40] [:: 6; 4] [:: [:: 6; 82]; [:: 8; 6; 4]] [:: $filter; $image]"
grep -Fqx "Definition statement := $said." "$dir/c.v" && pass || fail "a convolution's numbers: $(grep Definition "$dir/c.v")"
sed 's/.*"value": \([0-9]*\).*"first": \([0-9]*\), "length": \([0-9]*\).*/\2 \3 \1/' "$dir/c" >"$dir/numbers"
read -r f t v <"$dir/numbers"
grep -Eq "statement_certificate game 12 statement exponents $f $t [0-9]+ [0-9]+ [0-9]+ $v\)" "$dir/c.v" && pass || fail "not the certificate's integers: $(cat "$dir/numbers" "$dir/c.v")"
if [ -f proofs/Main.out ] && command -v coqc >/dev/null; then
  coqc -w -notation-overridden,-ambiguous-paths -R proofs redblue "$dir/c.v" 2>&1 | grep -q "^Closed under the global context" && pass || fail "Coq refuses a statement's certificate"
fi
while read -r change; do
  sed "$change" "$dir/mine.cdag" >"$dir/other.cdag"
  cmp -s "$dir/mine.cdag" "$dir/other.cdag" && fail "the text was not changed: $change"
  "$REDBLUE" bound "$dir/other.cdag" -M 12 --lower --json >"$dir/out" 2>&1 || fail "$change: $(cat "$dir/out")"
  grep -q statement_certificate "$dir/out" && fail "not the computation of proofs/cdags/Statement.v: $change" || pass
done <<'END'
s/^output.*/output O[*,*,c-1,*]/
s/^output.*/output O[*,0..n-1,c-1,k-1]/
s/^output.*/output O[i:f,i..n,c-1,k-1]/
$a output O[0,0,0,0]
s/x:n,/x:i+1,/
s/x:n,/x:1..n,/
s/st\*x+a\]/st*x+a-1]/
s/st\*x+a\]/st*x+a+1]/
s/st\*x+a\]/st*x+k-1-a]/
s/W\[i,s,a\]/W[i,s,a] if x > 0/
s/W\[i,s,a\]/W[i,s,*]/
s/W\[i,s,a\]/W[i,s,a..k]/
s/O\[i,x,s,a-1\]/O[i,x,s,a-2]/
s/O\[i,x,s,a-1\]/O[i,x-1,s,a-1]/
s/k-1+a\]/k-2+a]/
s/ O\[i,x,s-1,k-1+a\],//
s/O\[i,x,s,a-1\], O\[i,x,s-1,k-1+a\]/O[i,x,s-1,a], O[i,x,c-1+s,a-1]/
s/X\[s,st\*x+a\]/X[s,st*x+a], Y[i,x]/; s/^input.*/&\nY[i:f,x:n] = W[i,0,0]/
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
