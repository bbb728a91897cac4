// params T=2048,D=64
// small T=5,D=2
void attn(int T, int D, float Q[T][D], float K[T][D], float V[T][D], float bias[T][T], float O[T][D])
{
  for (int i = 0; i < T; i++) {
    float l = 0;
    float z[D];
    for (int d = 0; d < D; d++) z[d] = 0;
    for (int j = 0; j < T; j++) {
      float s = bias[i][j];
      for (int d = 0; d < D; d++) s += Q[i][d] * K[j][d];
      float p = expf(s);
      l += p;
      for (int d = 0; d < D; d++) z[d] += p * V[j][d];
    }
    for (int d = 0; d < D; d++) O[i][d] = z[d] / l;
  }
}
