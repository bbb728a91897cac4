// params N=2000,K=64,D=32
// small N=3,K=2,D=2
void assign(int N, int K, int D, float x[N][D], float c[K][D], float best[N])
{
  for (int i = 0; i < N; i++) {
    float b = INFINITY;
    for (int k = 0; k < K; k++) {
      float d = 0;
      for (int j = 0; j < D; j++)
        d += (x[i][j] - c[k][j]) * (x[i][j] - c[k][j]);
      b = fminf(b, d);
    }
    best[i] = b;
  }
}
