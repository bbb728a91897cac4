// params n=64,m=32,T=100
// small n=3,m=2,T=3
// covariance propagation, gain given: P = F P F^T + Q, then P = P - G (H P)
void kalman(int n, int m, int T, double F[n][n], double Q[n][n], double H[m][n], double G[T][n][m], double P[n][n])
{
  double A[n][n], B[m][n];
#pragma redblue output P
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i][j] = 0;
        for (int k = 0; k < n; k++)
          A[i][j] += F[i][k] * P[k][j];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        P[i][j] = Q[i][j];
        for (int k = 0; k < n; k++)
          P[i][j] += A[i][k] * F[j][k];
      }
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        B[i][j] = 0;
        for (int k = 0; k < n; k++)
          B[i][j] += H[i][k] * P[k][j];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
          P[i][j] -= G[t][i][k] * B[k][j];
  }
}
