// params N=2000,D=64
// small N=3,D=2
void linear_attention(int N, int D, float Q[N][D], float K[N][D], float V[N][D], float O[N][D])
{
  float S[D][D], z[D];
  for (int a = 0; a < D; a++) { z[a] = 0; for (int b = 0; b < D; b++) S[a][b] = 0; }
  for (int t = 0; t < N; t++) {
    for (int a = 0; a < D; a++) {
      z[a] += K[t][a];
      for (int b = 0; b < D; b++)
        S[a][b] += K[t][a] * V[t][b];
    }
    float den = 0;
    for (int a = 0; a < D; a++) den += Q[t][a] * z[a];
    for (int b = 0; b < D; b++) {
      float num = 0;
      for (int a = 0; a < D; a++) num += Q[t][a] * S[a][b];
      O[t][b] = num / den;
    }
  }
}
