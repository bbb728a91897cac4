#!/bin/sh
# random_specs.sh DIR ROUNDS [SEED] -- random questions for certificates.sh, "SPEC MEMORY BOUND" a line, so many rounds of one for each
# computation; texts that are no family's are written into DIR.
cd "$(dirname "$0")" || exit 1
dir=$1 count=$2 seed=${3:-1}

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
  # the first has made, as it does always where that is asked for
  function sums(file, always, n, m, v, s, head, chain, end, rules, shared, read) {
    n = 3 + (!always && pick(4) == 0); inputs = ""; rules = ""
    split("i j k l", loop, " ")
    for (v = 1; v <= n; v++) extent[v] = n > 3 ? of("2 5 9 16") : of("5 13 24 40 60")
    triangle = !always && pick(4) == 0
    if (triangle) extent[2] = extent[1]
    else if (always || pick(3) == 0) extent[n] = extent[2]
    m = 1 + (always || pick(3) == 0)
    for (s = 1; s <= m; s++) {
      head = chain = end = ""
      for (v = 1; v <= n; v++) {
        head = head (v > 1 ? ", " : "") loop[v] ":" (triangle && v == 2 ? "i+1" : extent[v])
        chain = chain (v > 1 ? "," : "") loop[v] (v == n ? "-1" : "")
        end = end (v > 1 ? "," : "") (v == n ? extent[n] - 1 : "*")
      }
      read = s == 2 && (always || pick(2)) ? shared : operand("A" s, n)
      shared = read
      if (s == 2 && extent[n] == extent[2] && n == 3 && !triangle) read = "R1[i,k," extent[n] - 1 "]"
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
  # what is read of an array beside i, up to so many places away
  function across(array, before, behind, far, read, c) {
    read = ""
    for (c = -far; c <= far; c++) read = read ", " array "[" before "i" (c < 0 ? c : c ? "+" c : "") behind "]"
    return read
  }
  # sweeps along rows and then along columns, forth and back, as of adi, at each of some times
  function sweeps(file, n, m, t, ways, far) {
    n = 5 + pick(24); m = n + pick(2) * pick(12); t = 4 + pick(5)
    ways = pick(6) ? 1 + pick(2) : 0; far = pick(6) ? ways : 0 # one of them back and forth, and that one reads two places away, mostly
    print "param n = 1\ninput U[" n "," m "]" >file
    print "q[s:" t ", i:" n ", j:" m "] = q[s,i,j" (ways == 1 ? "+1" : "-1") "]" across("u", "s-1,j,", "", 1 + (far == 1)) ", U[i,j] if s == 0" >file
    print "v[s:" t ", j:" m ", i:" n "] = v[s,j" (ways == 1 ? "-1" : "+1") ",i], q[s,i,j]" >file
    print "r[s:" t ", i:" m ", j:" n "] = r[s,i,j" (ways == 2 ? "+1" : "-1") "]" across("v", "s,", ",j", 1 + (far == 2)) >file
    print "u[s:" t ", i:" m ", j:" n "] = u[s,i,j" (ways == 2 ? "-1" : "+1") "], r[s,i,j]\noutput u[" t - 1 ",*,*]" >file
    close(file)
    return 3 + pick(of("3 " n " " 3 * n))
  }
  BEGIN {
    srand(seed)
    for (i = 0; i < count; i++) {
      print "round"
      printf "matmul:m=%d,n=%d,k=%d %d product-segment\n", 1 + pick(400), 1 + pick(400), of("1 2 3 7 20 100 350 1000"), 3 + pick(2 ^ (2 + pick(12)))
      printf "matmul:m=%d,n=%d,k=%d,acc=1 %d product-segment\n", 1 + pick(400), 1 + pick(400), of("1 2 3 7 20 100 350 1000"), 3 + pick(2 ^ (2 + pick(12)))
      d = of("1 2 3 8 16 64 128")
      printf "attention-causal:n=%d,d=%d,dv=%d %d attention-segment\n", of("1 7 64 256 1000 4096"), d, of(d " " d " 1 5 32"), 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
      printf "attention:n=%d,nk=%d,d=%d,dv=%d %d attention-segment\n", of("1 7 64 256 1000 4096"), of("3 64 256 4096"), d,
        of(d " " d " 1 5 32"), 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
      printf "syrk:n=%d,k=%d %d product-segment\n", 3 + pick(400), of("1 2 3 7 20 100 350"), 3 + pick(2 ^ (2 + pick(12)))
      d = of("1 2 3 4 8 16 64")
      printf "attention:n=%d,nk=%d,d=%d %d attention-two-products\n", of("8 64 256 1000"), of("3 64 256 4096"), d, 2 * d + 3 + pick(1 + d * d * of("1 2 8 20"))
      printf "attention-causal:n=%d,d=%d %d attention-two-products\n", of("8 64 256 1000"), d, 2 * d + 3 + pick(1 + d * d * of("1 2 8"))
      d = of("2 3 5 8 8 16 16 24 32")
      printf "attention:n=%d,nk=%d,d=%d,dv=%d %d attention-three-way\n", of("64 256 1000"), of("64 256 4096"), d, of(d " " d " " 2 * d " 3"), 2 * d + int(d * d * (1 + pick(20)) / 5)
      printf "attention-causal:n=%d,d=%d,dv=%d %d attention-three-way\n", of("64 256 1000"), d, of(d " " d " " 2 * d " 3"), 2 * d + int(d * d * (1 + pick(20)) / 5)
      d = of("2 4 8 16")
      m = int(d * d * of("1 2 4 8 16 28 40 100")) + of("0 0 7 -3") + 4 * d
      n = of("64 256 1000 4096")
      printf "attention-backward:n=%d,d=%d,nk=%d %d backward-12\n", n, d, of(n " " int(n / 2)), m
      printf "attention-backward:n=%d,d=%d,nk=%d %d backward-14\n", n, d, of(n " " int(n / 2)), m
      printf "attention-causal-backward:n=%d,d=%d %d backward-12\n", n, d, m
      printf "attention-causal-backward:n=%d,d=%d %d backward-14\n", n, d, m
      printf "attention:n=%d,d=%d,nk=%d,dv=%d %d covering\n", n, d, of(n " " int(n / 2)), of(d " 3 24"), m
      printf "attention-backward:n=%d,d=%d,nk=%d,dv=%d %d covering\n", n, d, of(n " " int(n / 2)), of(d " 3 7"), m
      mask = of("w=0 w=1 w=2 w=3,dilate=2 w=1,global=2 w=1,s=3 w=-1,top=3 w=0,p=30 w=-1,square=2 w=20") ",seed=" pick(1000)
      b = of("4 16 32"); k = of("3 8 24")
      printf "attention-sparse:n=%d,nk=%d,d=%d,dv=%d,b=%d,%s %d attention-segment\n", b * k + (pick(4) ? 0 : pick(b)), b * (k + pick(2)) + i % 2 * pick(b), d, of(d " " d " 1 5"), b, mask, 2 * d + 3 + pick(1 + d * d * of("1 2 8"))
      printf "attention-sparse:n=%d,nk=%d,d=%d,dv=%d,b=%d,%s %d attention-three-way\n", b * k + (pick(4) ? 0 : pick(b)), b * (k + pick(2)) + i % 2 * pick(b), d, of(d " " d " 3"), b, mask, 2 * d + int(d * d * (1 + pick(20)) / 5)
      printf "attention-sparse:n=%d,nk=%d,d=%d,b=%d,%s %d attention-two-products\n", b * k + (pick(4) ? 0 : pick(b)), b * (k + pick(2)) + i % 2 * pick(b), d, b, mask, 2 * d + 3 + pick(1 + d * d * of("1 2 8"))
      # rows and columns see themselves: each keeps a pair
      sees = of("w=0 w=1 w=2 w=1,global=2 w=1,s=3 w=0,top=3 w=0,p=30 w=20")
      mask = sees ",seed=" pick(1000)
      b = of("16 32 64"); k = of("8 24 32")
      printf "attention-sparse-backward:n=%d,d=%d,b=%d,%s %d backward-12\n", b * k + pick(b), d, b, mask, m
      printf "attention-sparse-backward:n=%d,d=%d,b=%d,%s %d backward-14\n", b * k + pick(b), d, b, mask, m
      # here backward-14 is the best beside inputs now and then
      besides_d = of("3 4 8 8 12")
      besides_m = besides_d * besides_d * (12 + pick(12 + 40 * pick(2))) + pick(2 * besides_d)
      printf "attention-backward:n=%d,d=%d %d pairs-and-inputs\n", of("1000 2000 4096"), besides_d, besides_m
      printf "attention-causal-backward:n=%d,d=%d %d pairs-and-inputs\n", of("256 1000 4096"), besides_d, besides_m
      mask = of("w=20 w=0,p=30 " sees) ",seed=" pick(1000)
      printf "attention-sparse-backward:n=%d,d=%d,b=64,%s %d pairs-and-inputs\n", 2048 + pick(64), besides_d, mask, besides_m
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
      if (i % 3 == 0) {
        adi = sprintf("adi.cdag:tsteps=%d,n=%d %d gates", of("2 7 20"), of("6 25 60"), 3 + pick(of("5 40 700")))
        if (i % 24 == 0) print adi # seconds each, and seldom machine-checked
      }
      d = of("20 30 90 300") # some rows fit on chip, the image does not: else there are other gates, or none
      printf "deriche.cdag:w=%d,h=%d %d gates-one-shot\n", d, d + pick(20), 3 * d + pick(d * d / 8)
      if (i % 24 == 0) printf "adi.cdag:tsteps=%d,n=%d %d gates-one-shot\n", of("5 7 60"), d, 3 * d + pick(d * d / 8) # two seconds each
      if (i % 3) printf "sweeps%d.cdag:n=1 %d gates-one-shot\n", i, sweeps(dir "/sweeps" i ".cdag")
      printf "durbin.cdag:n=%d %d gates\n", of("9 60 700"), 3 + pick(of("5 20 300"))
      printf "gemver.cdag:n=%d %d gates\n", of("9 60 700"), 3 + pick(of("5 20 300"))
      printf "passes.cdag:n=%d,m=%d,t=%d %d gates\n", of("5 30 200"), of("4 20 150"), of("2 9 40"), 3 + pick(of("5 20 120"))
      sums(dir "/sums" i ".cdag", 0)
      m = 3 + pick(2 ^ (2 + pick(4)))
      printf "sums%d.cdag:n=1 %d affine\n", i, m
      if (i % 2) {
        sums(dir "/made" i ".cdag", 1)
        printf "made%d.cdag:n=1 %d affine-one-shot\n", i, m
      }
      passes(dir "/passes" i ".cdag")
      printf "passes%d.cdag:n=1 %d gates\n", i, 3 + pick(of("5 20 60"))
      printf "bicg.cdag:m=%d,n=%d %d compulsory\n", of("3 40 900"), of("8 50 1000"), 3 + pick(of("5 40 700"))
      printf "trisolv.cdag:n=%d %d compulsory\n", of("4 50 1000"), 3 + pick(of("5 40 700"))
      printf "durbin.cdag:n=%d %d compulsory\n", of("5 70 900"), 3 + pick(of("5 40 700"))
      printf "grid:r=%d,c=%d %d pyramids\n", of("30 60 900"), of("25 90 1000"), 2 + pick(of("5 15 25"))
      d = 3 + pick(60)
      printf "grid:r=%d,c=%d %d pyramids\n", d + pick(2 * d), d + pick(4 * d), d # pyramids side by side, mostly
      printf "pyramid:h=%d %d crossings\n", of("3 8 40 300") + pick(5), 3 + pick(of("2 4 30"))
      printf "pyramid:h=%d %d crossings-sliding\n", of("3 8 40 300") + pick(5), 2 + pick(of("2 4 30"))
      d = of("1 2 5 8 16 32")
      printf "attention-lowrank:n=%d,d=%d,r=%d,dv=%d %d lowrank\n", of("64 256 1000 4096"), d, of("8 16 64 200"), of(d " " 2 * d " 7"), 2 * d + 3 + pick(2 ^ (2 + pick(10)))
    }
  }'
