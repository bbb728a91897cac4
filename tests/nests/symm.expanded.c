// params m=2000,n=2000
// small m=7,n=6
void symm(int m, int n, double alpha, double beta, double C[m][n], double A[m][m], double B[m][n])
{
  double t[m][n];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      t[i][j] = 0.0;
      for (int k = 0; k < i; k++)
        C[k][j] = C[k][j] + alpha * B[i][j] * A[i][k];
      for (int k = 0; k < i; k++)
        t[i][j] = t[i][j] + B[k][j] * A[i][k];
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * t[i][j];
    }
}
