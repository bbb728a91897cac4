// params T=4096,D=64
// small T=5,D=3
// one head, softmax without a maximum
void attention(int T, int D, float Q[T][D], float K[T][D], float V[T][D], float O[T][D])
{
  float S[T][T];
  for (int i = 0; i < T; i++) {
    float l = 0;
    for (int j = 0; j < T; j++) {
      S[i][j] = 0;
      for (int k = 0; k < D; k++)
        S[i][j] += Q[i][k] * K[j][k];
      S[i][j] = expf(S[i][j]);
      l += S[i][j];
    }
    for (int k = 0; k < D; k++) {
      float o = 0;
      for (int j = 0; j < T; j++)
        o += S[i][j] * V[j][k];
      O[i][k] = o / l;
    }
  }
}
