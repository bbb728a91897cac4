#!/bin/sh
# With the plain build only: t_import asks the same library.
# The gallery: every text of examples/polybench has the vertices and edges that its kernel, run with every value numbered, gave
# (gallery_rows.txt), and so has what its loop nest is imported to; the texts of examples/ml have those of the formulas below.
passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
# vertices, edges, inputs, outputs of a computation
counts() { "$REDBLUE" cdag "$1" | awk '$1 == "vertices" || $1 == "edges" || $1 == "inputs" || $1 == "outputs" { printf "%s%s", s, $2; s = " " }'; }
grep -v '^#' tests/gallery_rows.txt > "${TMPDIR:-/tmp}/rows.$$"
while read -r spec expected; do
  ok "$spec" "$(counts "examples/polybench/$spec")" "$expected"
  nest=$(echo "$spec" | sed 's/\.cdag:/.c:/'); ok "$nest" "$(counts "examples/polybench/$nest")" "$expected"
done < "${TMPDIR:-/tmp}/rows.$$"
rm -f "${TMPDIR:-/tmp}/rows.$$"
for text in examples/polybench/*.cdag; do ok "$text is tested" "$(grep -c "^${text##*/}:" tests/gallery_rows.txt | sed 's/[1-9][0-9]*/1/')" 1; done
# ml NAME "assignments" vertices edges inputs outputs: formulas in the parameters
ml() {
  eval "$2"
  ok "$1:$2" "$(counts "examples/ml/$1.cdag:$(echo "$2" | tr ' ' ',')")" "$(($3)) $(($4)) $(($5)) $(($6))"
}
for p in "n=1 f=2 c=3 h=2 w=3 kh=2 kw=2 st=1" "n=2 f=2 c=2 h=2 w=2 kh=3 kw=2 st=2"; do
  ml conv2d "$p" "n*f*c*h*w*kh*kw + n*c*(st*h-st+kh)*(st*w-st+kw) + f*c*kh*kw" "3*n*f*c*h*w*kh*kw - n*f*h*w" \
    "n*c*(st*h-st+kh)*(st*w-st+kw) + f*c*kh*kw" "n*f*h*w"
done
ml mttkrp "ni=2 nj=3 nk=4 nr=2" "ni*nj*nk*(nr+1) + nr*(nj+nk)" "4*ni*nj*nk*nr - ni*nr" "ni*nj*nk + nr*(nj+nk)" "ni*nr"
ml mttkrp-blocked "ni=2 nj=3 nk=2 nr=2 b=3" "ni*nj*nk*b*(nr+1) + nr*(nj+nk*b)" "4*ni*nj*nk*b*nr - ni*nr" "ni*nj*nk*b + nr*(nj+nk*b)" "ni*nr"
ml scan "t=3 c=2 s=4" "4*t*c*s + 2*t*c + c*s + 2*t*s" "(2+3+3+3)*t*c*s - c*s - t*c" "2*t*c + c*s + 2*t*s" "t*c"
ml prefix-sum "l=4" "(l+1)*(1<<l)" "2*l*(1<<l) - (1<<l) + 1" "1<<l" "1<<l"
ml linear-attention "n=3 d=2 dv=4" "2*n*d*dv + 2*n*d + n*dv" "6*n*d*dv - d*dv - n*dv" "2*n*d + n*dv" "n*dv"
ml mla-decode "h=2 n=3 r=4 p=2" "h*n*(2*r+p+2) + h*r + (h+n)*(r+p)" "h*n*(3*r-1+3*p+1+2+3*r) - h - h*r + 2*h*r" "(h+n)*(r+p)" "h*r"
ml gqa-decode "b=2 kv=2 g=2 n=3 d=4" "b*kv*(g*n*(2*d+2) + 2*g*d + 2*n*d)" "b*kv*g*(n*(6*d+2) + d - 1)" "b*kv*(g*d + 2*n*d)" "b*kv*g*d"
ml layernorm-matmul "m=2 d=3 n=4" "m*d*(4+n) + 2*m + 2*d + d*n" "m*(2*d-1 + 1 + 3*d-1 + 1 + 5*d + n*(3*d-1))" "m*d + 2*d + d*n" "m*n"
ml mixture-of-experts "n=4 e=3 top=2 d=2 h=3" "n*top*(2*h*d + h + d) + n*d + n*top + 2*e*d*h" \
  "n*top*(h*(3*d-1) + h + d*(3*h-1) + 3*d) - n*d" "n*d + n*top + 2*e*d*h" "n*d"
ml fft-convolution "l=3" "(3*l+3)*(1<<l)" "(6*l+2)*(1<<l)" "2*(1<<l)" "1<<l"
ml winograd "f=2 c=3 h=1 w=2" "f*c*(9+12+16) + c*((2*h+2)*(2*w+2) + 32*h*w) + f*h*w*(16*c+8+4)" \
  "f*c*3*8 + f*c*4*8 + c*h*w*64 + f*h*w*(16*(3*c-1) + 8*3 + 4*3)" "f*c*9 + c*(2*h+2)*(2*w+2)" "4*f*h*w"
for text in examples/ml/*.cdag; do
  name=$(basename "$text" .cdag); ok "$text is tested" "$(grep -c "ml $name " tests/t_gallery.sh | sed 's/[1-9][0-9]*/1/')" 1
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
