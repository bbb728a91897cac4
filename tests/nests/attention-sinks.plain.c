// params T=8192,D=64,W=256
// small T=9,D=2,W=3
// each row reads four sinks and the last W keys; gap 3.6 at M = 4K (73)
void attn(int T, int D, int W, float Q[T][D], float K[T][D], float V[T][D], float O[T][D])
{
  for (int i = 0; i < T; i++) {
    float l = 0, z[D];
    for (int d = 0; d < D; d++) z[d] = 0;
    for (int j = 0; j <= i; j++) {
      if (j >= 4 && j <= i - W) continue;
      float s = 0;
      for (int d = 0; d < D; d++) s += Q[i][d] * K[j][d];
      float p = expf(s);
      l += p;
      for (int d = 0; d < D; d++) z[d] += p * V[j][d];
    }
    for (int d = 0; d < D; d++) O[i][d] = z[d] / l;
  }
}
