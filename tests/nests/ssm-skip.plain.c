// params T=2000,N=32,P=8
// small T=3,N=3,P=2
// states, outputs and the input's way past them in one loop through time
void ssm(int T, int N, int P, double A[N][N], double B[N][P], double C[P][N], double D[P][P], double x[T][P],
          double y[T][P])
{
  double h[T+1][N];
  for (int i = 0; i < N; i++) h[0][i] = 0;
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < N; i++) {
      double s = 0;
      for (int j = 0; j < N; j++) s += A[i][j] * h[t][j];
      for (int j = 0; j < P; j++) s += B[i][j] * x[t][j];
      h[t+1][i] = s;
    }
    for (int p = 0; p < P; p++) {
      y[t][p] = 0;
      for (int i = 0; i < N; i++) y[t][p] += C[p][i] * h[t+1][i];
      for (int i = 0; i < P; i++) y[t][p] += D[p][i] * x[t][i];
    }
  }
}
