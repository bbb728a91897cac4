// params N=2000,K=128,D=64
// small N=3,K=2,D=2
// the nearest centre's number
void assign(int N, int K, int D, float x[N][D], float c[K][D], int a[N])
{
  for (int i = 0; i < N; i++) {
    float best = FLT_MAX;
    int arg = 0;
    for (int k = 0; k < K; k++) {
      float d = 0;
      for (int j = 0; j < D; j++) {
        float t = x[i][j] - c[k][j];
        d += t * t;
      }
      if (d < best) {
        best = d;
        arg = k;
      }
    }
    a[i] = arg;
  }
}
