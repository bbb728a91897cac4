#!/bin/sh
# edges.sh -- every computation of cdags/ has the edges and the outputs of its family, for all small sizes: what Edges.v computes
# is compared with `redblue cdag --format edges`, whose sinks are the outputs, or which lists them.   REDBLUE: the program.
: "${REDBLUE:=../build/redblue}" "${COQC:=coqc}"
cd "$(dirname "$0")" || exit 1
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT

# the name in Edges.v, the family, its parameters in the order of Edges.v (a number: fixed), the largest size
families() {
  cat <<'END'
matmul matmul m n k acc=0 3
matmul_add matmul m n k acc=1 3
attention attention n d nk dv 2
attention attention n=3 d=1 nk=3 dv 2
attention_causal attention-causal n d dv 3
attention_causal_backward attention-causal-backward n d dv 2
attention_causal_backward attention-causal-backward n d=1 dv=1 4
syrk syrk n k 4
attention_backward attention-backward n d nk dv 2
attention_backward attention-backward n d=1 nk=3 dv=1 3
attention_lowrank attention-lowrank n d r dv 2
pyramid pyramid h 6
grid grid r c 5
atax ../examples/polybench/atax.cdag m n 3
cholesky cholesky n 5
END
  # PolyBench's text with its last rules in the family's order, as vertices are numbered by rules
  awk '/^output L/ { l = $0; next } { print } /^output D/ { print l }' ../examples/polybench/cholesky.cdag >"$dir/cholesky.cdag"
  echo "cholesky $dir/cholesky.cdag n 5"
  sed 's/^input .*/&, B[n,nk]/; s/^\(P.*\)/\1, B[i,j]/' ../cdag/families/attention.cdag >"$dir/bias.cdag"
  echo "attention_bias $dir/bias.cdag n d nk dv 2"
}
# texts of one statement over a box that reads inputs: what --coq writes of them is compared as well
statements() {
  cat >"$dir/convolution.cdag" <<'END'
param n = 3, k = 3, st = 2
input X[2, st*(n-1)+k+1], W[2,k]
O[i:2, x:n, s:2, a:k] = O[i,x,s,a-1], O[i,x,s-1,k-1+a], W[i,a], X[s,st*x+a], X[s,st*x+a+1]
output O[*,*,1,k-1]
END
  cat >"$dir/tensor.cdag" <<'END'
param a = 2, b = 3, c = 2
input X[a,c,c], Y[b,c], Z[4]
R[i:a, j:b, k:c, l:c, m:2] = R[i,j,k,l,m-1], R[i,j,k,l-1,1+m], R[i,j,k-1,c-1+l,1+m], X[i,k,l], Y[j,k], X[i,l,k], Z[2*m+k]
output R[*,*,c-1,c-1,1]
END
  for text in convolution tensor; do
    "$REDBLUE" bound "$dir/$text.cdag" -M 3 --coq "$dir/$text.v" >"$dir/said" 2>&1 || cat "$dir/said" >&2
    sed -n "s|^Definition statement := \(.*\)\.$|Edges_statement (\1)\|$dir/$text.cdag|p" "$dir/$text.v"
  done
}
# block masks: the lists that --coq writes of them
masks() {
  while read -r name spec m theorem; do
    "$REDBLUE" bound "$spec" -M "$m" --theorem "$theorem" --coq "$dir/mask.v" >"$dir/said" 2>&1 || cat "$dir/said" >&2
    sizes=$(sed -n 's/.*certificate game [0-9]* \([0-9]* [0-9]* [0-9]*\) \([0-9][0-9]*\) mask .*/\1 \2/p; s/.*certificate game [0-9]* \([0-9]* [0-9]* \)\([0-9]*\) mask .*/\1\2 \2/p' "$dir/mask.v")
    sed -n '/^Definition mask /,/\.$/p' "$dir/mask.v" | tr -d '\n' | sed "s|^Definition mask : Listed.listing := *\(.*\)\.$|$name $sizes (\1)\|$spec\n|"
  done <<'SPECS'
attention_listed attention-sparse:n=7,nk=5,d=2,dv=1,b=2,w=1 4 attention-segment
attention_listed attention-sparse:n=9,d=1,b=2,w=-1,top=2,seed=3 4 attention-segment
attention_listed_backward attention-sparse-backward:n=6,d=1,b=2,w=1 5 backward-12
attention_listed_backward attention-sparse-backward:n=7,nk=5,d=1,b=2,w=1 4 backward-12
SPECS
}
# any affine text: what --coq writes of it
texts() {
  cat >"$dir/window.cdag" <<'END'
param h = 2, w = 4
input X[h,w], F[i:-1..2]
T[y:h, x:1..w-1, i:-1..2] = T[y,x,i-1], X[y,x+i], F[i], F[i..2] if i > 0
output T[*,*,1]
END
  for spec in gemm:ni=2,nj=2,nk=2 syrk:m=2,n=3 syr2k:m=2,n=2 correlation:m=3,n=2 bicg:m=2,n=3 mvt:n=3 gesummv:n=3 gemver:n=3 trisolv:n=4 durbin:n=4 lu:n=3 ludcmp:n=3 symm:m=3,n=2 covariance:m=3,n=2 deriche:w=3,h=2 \
    jacobi-1d:n=5,tsteps=2 atax:m=2,n=3 adi:tsteps=2,n=4 2mm:ni=2,nj=2,nk=2,nl=2 trmm:m=3,n=2 window; do
    case $spec in *:*) spec=../examples/polybench/${spec%%:*}.cdag:${spec#*:} ;; *) spec=$dir/$spec.cdag ;; esac
    "$REDBLUE" bound "$spec" -M 9 --theorem compulsory --coq "$dir/text.v" >"$dir/said" 2>&1 || cat "$dir/said" >&2
    sed -n '/^Definition text := /,/\.$/p' "$dir/text.v" | tr '\n' ' ' | sed "s|^Definition text := \(.*\)\. *$|Edges_affine (\1)\|$spec\n|"
  done
}
# "NAME SPEC": all sizes from 1 on
sizes() {
  families | awk '{
    name = $1; top = $NF; split("", v); n = NF - 3
    for (i = 1; i <= n; i++) v[i] = 1
    do {
      call = name; spec = ""
      for (i = 1; i <= n; i++) {
        f = $(i + 2)
        if (f !~ /=/) { f = f "=" v[i] }
        split(f, part, "=")
        if (part[1] != "acc") call = call " " part[2]
        spec = spec (i > 1 ? "," : "") f
      }
      print call "|" $2 ":" spec
      for (i = n; i >= 1; i--) { if ($(i + 2) !~ /=/ && v[i] < top) { v[i]++; break } v[i] = 1 }
    } while (i >= 1)
  }'
  statements
  masks
  texts
}
# Lines "COMPUTATION n SIZE", "COMPUTATION e FROM TO" and "COMPUTATION o OUTPUT", in any order; a computation is its number among the sizes.
from_program() {
  sed 's/.*|//' "$dir/sizes" | while read -r spec; do
    echo "@"
    "$REDBLUE" cdag "$spec" --format edges
  done | awk '
    function outputs(v) { for (v = 0; v < n; v++) if (said ? v in put : !(v in out)) print at, "o", v }
    $1 == "@" { outputs(); at++; n = said = 0; split("", put); split("", out); first = 1; next }
    first { n = $1; print at, "n", n; first = 0; next }
    $1 == "outputs" { said = 1; for (i = 3; i <= NF; i++) put[$i] = 1; next } # where they are not the sinks
    NF == 2 { print at, "e", $1, $2; out[$1] = 1 }
    END { outputs() }'
}
from_coq() {
  tr '\n' ' ' <"$dir/out" | sed 's/ *: N \* seq (N \* N) \* seq N/\n/g' | sed 's/%num//g; s/%N//g; /^ *$/d' | awk '
    { at++; split($0, part, /\[::/) # = (SIZE, [::(FROM, TO); ...], [::OUTPUT; ...])
      gsub(/[^0-9]/, "", part[1]); print at, "n", part[1]
      gsub(/[^0-9;]+/, " ", part[2]); m = split(part[2], edge, ";"); for (i = 1; i <= m; i++) if (split(edge[i], end, " ") == 2) print at, "e", end[1], end[2]
      gsub(/[^0-9]+/, " ", part[3]); m = split(part[3], end, " "); for (i = 1; i <= m; i++) print at, "o", end[i] }'
}
sizes >"$dir/sizes"
{ cat Edges.v; echo "Definition Edges_statement := statement. Definition Edges_affine := affine. Import Statement. Local Open Scope N_scope."
  sed 's/\(.*\)|.*/Eval vm_compute in \1./' "$dir/sizes"; } >"$dir/all.v"
nice "$COQC" -w -notation-overridden,-ambiguous-paths -R . redblue "$dir/all.v" >"$dir/out" || exit 1
from_program | sort >"$dir/program"
from_coq | sort >"$dir/coq"
all=$(wc -l <"$dir/sizes")
if [ -s "$dir/coq" ] && [ "$(grep -c ' n ' "$dir/coq")" = "$all" ] && cmp -s "$dir/program" "$dir/coq"; then
  echo "edges: $all computations, $(grep -c ' e ' "$dir/coq") edges, the same in Coq and in the program"
else
  echo "the edges differ (< the program's, > Coq's; first the computation):"
  diff "$dir/program" "$dir/coq" | grep '^[<>]' | head -12
  at=$(diff "$dir/program" "$dir/coq" | sed -n 's/^[<>] \([0-9]*\) .*/\1/p' | sort -n | head -1)
  sed -n "${at}s/^/computation $at: /p" "$dir/sizes"
  exit 1
fi
