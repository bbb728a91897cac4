// params T=2048,D=64
// small T=5,D=2
void attn(int T, int D, float Q[T][D], float K[T][D], float V[T][D], float S[T][T], float O[T][D])
{
  for (int i = 0; i < T; i++)
    for (int j = 0; j < T; j++) {
      S[i][j] = 0;
      for (int d = 0; d < D; d++) S[i][j] += Q[i][d] * K[j][d];
    }
  for (int i = 0; i < T; i++) {
    float m = S[i][0];
    for (int j = 1; j < T; j++) m = fmaxf(m, S[i][j]);
    float l = 0;
    for (int j = 0; j < T; j++) { S[i][j] = expf(S[i][j] - m); l += S[i][j]; }
    for (int j = 0; j < T; j++) S[i][j] /= l;
  }
  for (int i = 0; i < T; i++)
    for (int d = 0; d < D; d++) {
      O[i][d] = 0;
      for (int j = 0; j < T; j++) O[i][d] += S[i][j] * V[j][d];
    }
}
