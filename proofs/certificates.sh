#!/bin/sh
# certificates.sh [COUNT [SEED [quick]]] -- random certificates written by the program, COUNT for each computation, and Coq's answer:
# every check says yes to the program's integers, and no when one of them is made better by one: the value, the number of segments or their
# lengths one more, or what they do one less.
# One of each theorem is compiled whole, ending in the theorem for its numbers, unless it must be quick.   REDBLUE: the program;
# ONLY: of the lines SPEC MEMORY BOUND those that match, as in ONLY=' gates$'.
: "${REDBLUE:=../build/redblue}" "${COQC:=coqc}"
count=${1:-20} seed=${2:-1}
cd "$(dirname "$0")" || exit 1
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
flags="-w -notation-overridden,-ambiguous-paths -R . redblue"

cat >"$dir/tensor.cdag" <<'END'
param a b c d
input X[a,c,d], Y[b,d], Z[c,a]
R[i:a, j:b, k:c, l:d] = R[i,j,k,l-1], R[i,j,k-1,d-1+l], X[i,k,l], Y[j,l], Z[k,i]
output R[*,*,c-1,d-1]
END
cat >"$dir/convolution.cdag" <<'END'
param n f c k st
input X[c,st*(n-1)+k], W[f,c,k]
O[i:f, x:n, s:c, a:k] = O[i,x,s,a-1], O[i,x,s-1,k-1+a], W[i,s,a], X[s,st*x+a]
output O[*,*,c-1,k-1]
END

cat >"$dir/steps.cdag" <<'END'
param n m t
input A[n,m], B[m,t], P[i:n, j:i+1, s:t]
R[i:n, j:i+1, s:t, k:m] = R[i,j,s,k-1], P[i,j,s] if k == 0, A[i,k], B[k,s]
output R[*,*,*,m-1]
END
cat >"$dir/births.cdag" <<'END'
param n m t
input A[n,m,t], B[m,n]
T[i:n, j:i+1, s:t, k:m] = T[i,j,s,k-1], A[i,k,s], B[k,j]
U[i:n, j:i+1, s:t] = T[i,j,s,m-1], U[i,j,s-1]
output U[*,*,t-1]
END
cat >"$dir/two.cdag" <<'END'
param n m t
input A[n,m], B[m,n], C[n,m], D[m,t], E[t,t]
R[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]
S[i:n, j:n, k:m] = S[i,j,k-1], C[i,k], B[k,j]
T[i:n, j:t, k:m] = T[i,j,k-1], C[i,k], D[k,j]
output R[*,*,m-1], S[*,*,m-1], T[*,*,m-1]
output X[i:t] = E[i,i], D[0,i]
END
# a vector that is read at each of some times, and rows that are read twice
cat >"$dir/passes.cdag" <<'END'
param n = 30, m = 20, t = 5
input A[n], B[n,m]
T[s:t, i:n] = T[s,i-1], A[i], T[s-1,n-1] if i == 0
R[i:n, j:m] = R[i,j-1], B[i,j]
Y[i:n, j:m] = Y[i-1,j], B[i,j], R[i,m-1]
output T[t-1,n-1], Y[n-1,*]
END
sed 's/^input .*/&, B[n,nk]/; s/^\(P.*\)/\1, B[i,j]/' ../cdag/families/attention.cdag >"$dir/bias.cdag"
for text in gemm 2mm 3mm syrk syr2k covariance correlation atax bicg trisolv durbin deriche adi gemver lu ludcmp cholesky floyd-warshall; do cp "../examples/polybench/$text.cdag" "$dir"; done

# SPEC MEMORY BOUND, a line each
random_specs() {
  awk -v count="$count" -v seed="$seed" -v dir="$dir" '
    function pick(n) { return int(rand() * n) }
    function of(list, a) { return a[1 + pick(split(list, a, " "))] }
    # an operand, read at some of the loops, with the last of them mostly, at two of them added up now and then
    function operand(name, n, l, s, v, w, read, size) {
      read = size = ""
      do s = 1 + pick(2 ^ n - 1); while (pick(6) && log(s) / log(2) == int(log(s) / log(2))) # one loop seldom
      if (pick(5) && s % 2 == 0) s++
      for (v = n; v >= 1; v--)
        if (int(s / 2 ^ (n - v)) % 2) {
          w = pick(8) ? 0 : 1 + pick(n)
          read = read (read == "" ? "" : ",") loop[v] (w && w != v ? "+" loop[w] : "")
          size = size (size == "" ? "" : ",") extent[v] + (w && w != v ? extent[w] : 0)
        }
      inputs = inputs (inputs == "" ? "" : ", ") name "[" size "]"
      return name "[" read "]"
    }
    # sums of products, over a box or a triangle, that begin with an input or not; two of them may share an operand, or the second reads what
    # the first has made
    function sums(file, n, m, v, s, head, chain, end, rules, shared, read) {
      n = 3 + (pick(4) == 0); made = 0; inputs = ""; rules = ""
      split("i j k l", loop, " ")
      for (v = 1; v <= n; v++) extent[v] = n > 3 ? of("2 5 9 16") : of("5 13 24 40 60")
      triangle = pick(4) == 0
      if (triangle) extent[2] = extent[1]
      else if (pick(3) == 0) extent[n] = extent[2]
      m = 1 + (pick(3) == 0)
      for (s = 1; s <= m; s++) {
        head = chain = end = ""
        for (v = 1; v <= n; v++) {
          head = head (v > 1 ? ", " : "") loop[v] ":" (triangle && v == 2 ? "i+1" : extent[v])
          chain = chain (v > 1 ? "," : "") loop[v] (v == n ? "-1" : "")
          end = end (v > 1 ? "," : "") (v == n ? extent[n] - 1 : "*")
        }
        read = s == 2 && pick(2) ? shared : operand("A" s, n)
        shared = read
        if (s == 2 && extent[n] == extent[2] && n == 3 && !triangle) { read = "R1[i,k," extent[n] - 1 "]"; made = 1 }
        read = read ", " operand("B" s, n) (pick(6) ? "" : ", " operand("D" s, n))
        if (pick(3) == 0) {
          inputs = inputs ", C" s "[" extent[1]; for (v = 2; v < n; v++) inputs = inputs "," extent[v]
          read = read ", C" s "[i,j" (n > 3 ? ",k" : "") "] if " loop[n] " == 0"; inputs = inputs "]"
        }
        rules = rules "R" s "[" head "] = R" s "[" chain "], " read "\noutput R" s "[" end "]\n"
      }
      print "param n = 1\ninput " inputs "\n" rules >file
      close(file)
    }
    # vectors that are read at each of some times, and rows that are read twice
    function passes(file, n, m, t) {
      n = 4 + pick(60); m = 3 + pick(40); t = 2 + pick(8)
      print "param n = 1\ninput A[" n "], B[" n "," m "], C[" n "]\nT[s:" t ", i:" n "] = T[s,i-1], A[i]" (pick(2) ? ", C[" (pick(2) ? "i" : n - 1 "-i") "]" : "") \
        ", T[s-1," n - 1 "] if i == 0\nR[i:" n ", j:" m "] = R[i,j-1], B[i,j]" (pick(3) ? "" : ", C[i] if j == 0") "\nY[i:" n ", j:" m "] = Y[i-1,j], B[i,j], R[i," m - 1 "]\n" \
        "output T[" t - 1 "," n - 1 "], Y[" n - 1 ",*]" >file
      close(file)
    }
    BEGIN {
      srand(seed)
      for (i = 0; i < count; i++) {
        printf "matmul:m=%d,n=%d,k=%d %d product-segment\n", 1 + pick(400), 1 + pick(400), of("1 2 3 7 20 100 350 1000"), 3 + pick(2 ^ (2 + pick(12)))
        printf "matmul:m=%d,n=%d,k=%d,acc=1 %d product-segment\n", 1 + pick(400), 1 + pick(400), of("1 2 3 7 20 100 350 1000"), 3 + pick(2 ^ (2 + pick(12)))
        d = of("1 2 3 8 16 64 128")
        printf "attention-causal:n=%d,d=%d,dv=%d %d attention-segment\n", of("1 7 64 256 1000 4096"), d, of(d " " d " 1 5 32"), 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
        printf "attention:n=%d,nk=%d,d=%d,dv=%d %d attention-segment\n", of("1 7 64 256 1000 4096"), of("3 64 256 4096"), d,
          of(d " " d " 1 5 32"), 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
        printf "syrk:n=%d,k=%d %d product-segment\n", 3 + pick(400), of("1 2 3 7 20 100 350"), 3 + pick(2 ^ (2 + pick(12)))
        d = of("1 2 3 4 8 16 64")
        printf "attention:n=%d,nk=%d,d=%d %d attention-two-products\n", of("8 64 256 1000"), of("3 64 256 4096"), d, 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
        d = of("2 4 8 16")
        m = int(d * d * of("1 2 4 8 16 28 40 100")) + of("0 0 7 -3") + 4 * d
        n = of("64 256 1000 4096")
        printf "attention-backward:n=%d,d=%d,nk=%d %d backward-12\n", n, d, of(n " " int(n / 2)), m
        printf "attention-backward:n=%d,d=%d,nk=%d %d backward-14\n", n, d, of(n " " int(n / 2)), m
        printf "attention-causal-backward:n=%d,d=%d %d backward-12\n", n, d, m
        printf "attention-causal-backward:n=%d,d=%d %d backward-14\n", n, d, m
        printf "attention:n=%d,d=%d,nk=%d,dv=%d %d covering\n", n, d, of(n " " int(n / 2)), of(d " 3 24"), m
        printf "attention-backward:n=%d,d=%d,nk=%d,dv=%d %d covering\n", n, d, of(n " " int(n / 2)), of(d " 3 7"), m
        printf "%s:n=%d,d=%d %d pairs-and-inputs\n", of("attention-backward attention-causal-backward"), n, d, m
        printf "attention-backward:n=%d,d=%d,nk=%d,dv=%d %d pairs-and-inputs\n", n, d, of(n " " int(n / 2)), of(d " 3 7"), m
        printf "bias.cdag:n=%d,d=%d,nk=%d,dv=%d %d pairs-and-inputs\n", n, d, of(n " " int(n / 2)), of(d " 3 24"), m
        printf "cholesky:n=%d %d elimination\n", of("40 300 1000 5000"), 4 + pick(of("10 30 400 3000"))
        printf "tensor.cdag:a=%d,b=%d,c=%d,d=%d %d projective\n", of("1 7 40 300"), of("2 15 100"), of("1 6 50 200"), of("3 16 70"), 3 + pick(2 ^ (2 + pick(10)))
        printf "convolution.cdag:n=%d,f=%d,c=%d,k=%d,st=%d %d affine\n", of("9 60 400"), of("1 8 64"), of("1 3 32"), of("2 3 5 7"), of("1 1 2 3"), 3 + pick(2 ^ (2 + pick(10)))
        printf "gemm.cdag:ni=%d,nj=%d,nk=%d %d affine\n", of("2 15 300 1000"), of("1 7 40 700"), of("3 16 500"), 3 + pick(2 ^ (2 + pick(10)))
        printf "2mm.cdag:ni=%d,nj=%d,nk=%d,nl=%d %d affine\n", of("90 300 1000"), of("100 400"), of("80 500"), of("120 700"), 3 + pick(2 ^ (2 + pick(8)))
        printf "3mm.cdag:ni=%d,nj=%d,nk=%d,nl=%d,nm=%d %d affine\n", of("90 300 1000"), of("100 400"), of("80 500"), of("120 700"), of("110 600"), 3 + pick(2 ^ (2 + pick(8)))
        printf "two.cdag:n=%d,m=%d,t=%d %d affine\n", of("4 15 70 200"), of("2 7 300"), of("3 16 90"), 3 + pick(2 ^ (2 + pick(9)))
        text = of("syrk syr2k covariance correlation")
        printf "%s.cdag:m=%d,n=%d %d affine\n", text, of("5 30 90 400"), of("6 20 100 500"), 3 + pick(2 ^ (2 + pick(10)))
        printf "steps.cdag:n=%d,m=%d,t=%d %d affine\n", of("4 15 70"), of("2 7 300"), of("3 16 90"), 3 + pick(2 ^ (2 + pick(9)))
        printf "births.cdag:n=%d,m=%d,t=%d %d affine\n", of("4 15 70"), of("2 7 300"), of("3 16 90"), 3 + pick(2 ^ (2 + pick(9)))
        printf "%s.cdag:n=%d %d affine-one-shot\n", of("lu ludcmp cholesky floyd-warshall"), of("7 30 50 130"), 3 + pick(2 ^ (2 + pick(6)))
        if (i % 5 == 0) printf "%s.cdag:n=%d %d affine\n", of("lu ludcmp"), of("60 90 130 170"), 3 + pick(2 ^ (2 + pick(5)))
        printf "atax.cdag:m=%d,n=%d %d gates\n", of("3 40 900"), of("8 50 1000"), 3 + pick(of("5 40 700"))
        printf "deriche.cdag:w=%d,h=%d %d gates\n", of("3 30 700"), of("4 45 600"), 3 + pick(of("5 40 700"))
        if (i % 3 == 0) printf "adi.cdag:tsteps=%d,n=%d %d gates\n", of("2 7 60"), of("6 25 300"), 3 + pick(of("5 40 700"))
        d = of("20 30 90 300") # some rows fit on chip, the image does not: else there are other gates, or none
        printf "deriche.cdag:w=%d,h=%d %d gates-one-shot\n", d, d + pick(20), 3 * d + pick(d * d / 8)
        if (i % 3 == 0) printf "adi.cdag:tsteps=%d,n=%d %d gates-one-shot\n", of("5 7 60"), d, 3 * d + pick(d * d / 8)
        printf "durbin.cdag:n=%d %d gates\n", of("9 60 700"), 3 + pick(of("5 20 300"))
        printf "gemver.cdag:n=%d %d gates\n", of("9 60 700"), 3 + pick(of("5 20 300"))
        printf "passes.cdag:n=%d,m=%d,t=%d %d gates\n", of("5 30 200"), of("4 20 150"), of("2 9 40"), 3 + pick(of("5 20 120"))
        sums(dir "/sums" i ".cdag")
        m = 3 + pick(2 ^ (2 + pick(4)))
        printf "sums%d.cdag:n=1 %d affine\n", i, m
        if (made) printf "sums%d.cdag:n=1 %d affine-one-shot\n", i, m
        passes(dir "/passes" i ".cdag")
        printf "passes%d.cdag:n=1 %d gates\n", i, 3 + pick(of("5 20 60"))
        printf "bicg.cdag:m=%d,n=%d %d compulsory\n", of("3 40 900"), of("8 50 1000"), 3 + pick(of("5 40 700"))
        printf "trisolv.cdag:n=%d %d compulsory\n", of("4 50 1000"), 3 + pick(of("5 40 700"))
        printf "durbin.cdag:n=%d %d compulsory\n", of("5 70 900"), 3 + pick(of("5 40 700"))
        printf "grid:r=%d,c=%d %d pyramids\n", of("30 60 900"), of("25 90 1000"), 2 + pick(of("5 15 25"))
        printf "pyramid:h=%d %d crossings\n", of("3 8 40 300") + pick(5), 3 + pick(of("2 4 30"))
        printf "pyramid:h=%d %d crossings-sliding\n", of("3 8 40 300") + pick(5), 2 + pick(of("2 4 30"))
        d = of("1 2 5 8 16 32")
        printf "attention-lowrank:n=%d,d=%d,r=%d,dv=%d %d lowrank\n", of("64 256 1000 4096"), d, of("8 16 64 200"), of(d " " 2 * d " 7"), 2 * d + 3 + pick(2 ^ (2 + pick(10)))
      }
    }'
}

# THEOREM NUMBERS... as it is, or with number k from the end changed by `by`
# (M: the first of all)
asked() { awk -v k="$1" -v by="$2" '{ i = k == "M" ? 2 : NF - k + 1; if (k && by < 0 && $i == "0") exit; if (k) $i = "(" $i (by < 0 ? " - 1)" : " + 1)"); sub(/ /, "_check "); print }'; }

random_specs | grep -E -- "${ONLY:-.}" | while read -r spec m bound; do
  case $spec in *.cdag:*) spec=$dir/$spec ;; esac
  rules=placing; case $bound in *-sliding) rules=sliding ;; esac
  "$REDBLUE" bound "$spec" -M "$m" --rules "$rules" --theorem "$bound" --coq - >"$dir/one.v" 2>"$dir/said" || { echo "$spec $m $bound: $(tail -1 "$dir/said")" >>"$dir/none"; continue; }
  line=$(sed -n 's/.*(@\([a-z_0-9]*\)_certificate\( game\)\{0,1\} \([]a-z0-9 :;[]*\)).*/\1 \3/p' "$dir/one.v")
  # a text's numbers stand before the theorem
  for said in exponents statement text ends claim; do
    of=$(awk -v said="$said" '$1 == "Definition" && $2 == said { on = 1 } on { printf "%s ", $0 } on && /\.$/ { exit }' "$dir/one.v" |
      sed "s/^Definition $said := \(.*\)\. *$/(\1)/")
    line=$(echo "$line" | sed "s/ $said / $of /")
  done
  name=${line%% *}
  [ -n "$line" ] || { echo "no theorem for $spec -M $m --theorem $bound" >>"$dir/bad"; continue; }
  [ -f "$dir/sample_$name.v" ] || cp "$dir/one.v" "$dir/sample_$name.v"
  echo "$line" | asked 0 0 >>"$dir/$name.yes"
  # the numbers from the end: value, `most`, `most_first`, segments - 1, `length`, `first`; of affine claims a list of groups, with ; between
  case $name in
  crossings*) better="1:1 2:1 4:1" ;; # value, stores, loads
  pyramids* | compulsory) better="1:1" ;;
  gates | gates_once | waits_once) better="1:1 M:1" ;; # value, memory
  besides*backward_14) better="1:1 12:1" ;; # the inputs besides, too
  besides_covering_backward) better="1:1 12:1 6:1 5:1 4:1 3:-1 2:-1" ;;
  besides_covering_attention) better="1:1 9:1 6:1 5:1 4:1 3:-1 2:-1" ;;
  besides*) better="1:1 7:1 6:1 5:1 4:1 3:-1 2:-1" ;;
  *backward_14) better="1:1" ;; # the other numbers: its check allows a little more than the program finds, so that one less may do
  affine | affine_once | affine_tails)
    better="1:1" at=3
    for cut in $(echo "$line" | sed 's/.*\[:: \([^]]*\) \].*/\1/; s/ ; /,/g' | awk -F, '{ for (i = NF - 4; i > 0; i -= 5) print $i "," $(i + 1) "," $(i + 2) "," $(i + 3) "," $(i + 4) }'); do
      case $cut in *,0,*,0) some=8 ;; *) some="8 6 4" ;; esac # what `length` and the others are does not matter when there is one segment
      # where words are made the program's law allows a little more than Coq's: a segment more may do
      case $line in *AffineClaim.Maker*) more= ;; *) more=$some ;; esac
      for k in $more; do better="$better $((at + k)):1"; done
      better="$better $((at + 2)):-1"; [ "$some" = 8 ] || better="$better $at:-1"
      at=$((at + 10))
    done ;;
  *) better="1:1 6:1 5:1 4:1 3:-1 2:-1" ;;
  esac
  echo "$line" | grep -q ' 0 0 [0-9]* 0 [0-9]*$' && better=$(echo "$better" | sed 's/ 5:1 4:1//; s/ 2:-1//')
  for change in $better; do echo "$line" | asked "${change%:*}" "${change#*:}" >>"$dir/$name.no"; done
done
[ -s "$dir/bad" ] && { cat "$dir/bad"; exit 1; }
list() { echo "Definition $1 := [::"; sed 's/$/;/; $s/;$//' "$2" | sed '1s/^/  /'; echo "]%list."; }
{
  echo "From Coq Require Import ZArith NArith.
From mathcomp Require Import all_ssreflect.
From redblue Require Import ProductCertificate AttentionCertificate TwoProductsCertificate BackwardCertificate LowRankCertificate CoveringCertificate StatementCertificate EliminationCertificate PyramidCertificate GatesCertificate ForksCertificate WaitsCertificate CompulsoryCertificate AffineCertificate TailsCertificate BesidesCertificate.
From redblue Require Statement Affine AffineForms AffineClaim AffineTails Walks.
Open Scope N_scope."
  for f in "$dir"/*.yes; do
    name=$(basename "$f" .yes)
    list "${name}_yes" "$f" && list "${name}_no" "$dir/$name.no"
    echo "Eval vm_compute in (count id ${name}_yes, size ${name}_yes, count id ${name}_no, size ${name}_no)."
  done
} | sed 's/^\]%list/]/' >"$dir/all.v"
nice $COQC $flags "$dir/all.v" >"$dir/out" 2>&1 || { cat "$dir/out"; cp "$dir/all.v" ./failed.v; exit 1; }
# a line for each theorem: accepted, asked, wrongly accepted, asked
tr -d '\n' <"$dir/out" | sed 's/ *: nat \* nat \* nat \* nat/\n/g; s/%nat//g' | sed 's/[^0-9,]//g; s/,/ /g' >"$dir/numbers"
ls "$dir"/*.yes | sed 's/.*\///; s/\.yes$//' | paste -d ' ' - "$dir/numbers" | awk '
  { printf "%s: %d of %d accepted with the program'"'"'s integers, %d of %d refused, made better by one\n", $1, $2, $3, $5 - $4, $5 }
  NF != 5 || $2 != $3 || $4 || !$3 { bad = 1 } END { exit bad || !NR }' || { cp "$dir/all.v" ./failed.v; echo "see proofs/failed.v"; exit 1; }
[ -f "$dir/none" ] && echo "no bound of this name: $(wc -l <"$dir/none"): $(sed "s|$dir/||" "$dir/none" | head -3 | tr '\n' ';')"
[ "$3" = quick ] && exit
for f in "$dir"/sample_*.v; do
  nice $COQC $flags "$f" >"$dir/out" 2>&1 && grep -q '^Closed under the global context$' "$dir/out" || { cat "$f" "$dir/out"; exit 1; }
  echo "$(basename "$f" .v | sed 's/sample_//'): compiled; $(sed -n 's/.*-> \([0-9]* <= N.of_nat (cost s)\).*/\1/p' "$f")"
done
