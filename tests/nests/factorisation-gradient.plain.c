// params M=500,N=500,K=32,T=3
// small M=2,N=2,K=2,T=2
// one pass over the errors serves both factors in part only; gap 7.5 at M = 4K
// gradient descent on |R - P Q^T|^2
void factor(int M, int N, int K, int T, double R[M][N], double P[M][K], double Q[N][K])
{
  double E[M][N];
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        double s = 0;
        for (int k = 0; k < K; k++) s += P[i][k] * Q[j][k];
        E[i][j] = R[i][j] - s;
      }
    for (int i = 0; i < M; i++)
      for (int k = 0; k < K; k++) {
        double g = 0;
        for (int j = 0; j < N; j++) g += E[i][j] * Q[j][k];
        P[i][k] += 0.01 * g;
      }
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++) {
        double g = 0;
        for (int i = 0; i < M; i++) g += E[i][j] * P[i][k];
        Q[j][k] += 0.01 * g;
      }
  }
}
