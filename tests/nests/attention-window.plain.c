// params T=16384,D=64,W=512
// small T=9,D=2,W=3
// causal, each token sees the last W
void local_attention(int T, int D, int W, float Q[T][D], float K[T][D], float V[T][D], float O[T][D])
{
  float S[T][T], L[T];
  for (int i = 0; i < T; i++) {
    L[i] = 0;
    for (int j = (i - W + 1 > 0 ? i - W + 1 : 0); j <= i; j++) {
      S[i][j] = 0;
      for (int k = 0; k < D; k++)
        S[i][j] += Q[i][k] * K[j][k];
      S[i][j] = expf(S[i][j]);
      L[i] += S[i][j];
      for (int k = 0; k < D; k++)
        O[i][k] = (j == 0 || j == i - W + 1) ? S[i][j] * V[j][k] : O[i][k] + S[i][j] * V[j][k];
    }
    for (int k = 0; k < D; k++)
      O[i][k] /= L[i];
  }
}
