// params T=500,n=1000
// small T=4,n=8
/* borders copied by own statements, initialised by own statements */
void jacobi(int T, int n, double f[n][n], double A[n][n])
{
  double B[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = f[i][j];
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++) {
      B[i][0] = A[i][0];
      B[i][n-1] = A[i][n-1];
    }
    for (int j = 1; j < n - 1; j++) {
      B[0][j] = A[0][j];
      B[n-1][j] = A[n-1][j];
    }
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] = B[i][j];
  }
}
