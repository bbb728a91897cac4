// params T=512,D=256,F=512
// small T=2,D=2,F=3
// gap 1.3 at M = 4K
void swiglu(int T, int D, int F, float x[T][D], float w1[F][D], float w3[F][D], float w2[D][F], float y[T][D])
{
  float h[F];
  for (int t = 0; t < T; t++) {
    for (int f = 0; f < F; f++) {
      float a = 0, b = 0;
      for (int d = 0; d < D; d++) { a += w1[f][d] * x[t][d]; b += w3[f][d] * x[t][d]; }
      h[f] = a / (1 + expf(-a)) * b;
    }
    for (int d = 0; d < D; d++) {
      float acc = 0;
      for (int f = 0; f < F; f++) acc += w2[d][f] * h[f];
      y[t][d] = x[t][d] + acc;
    }
  }
}
