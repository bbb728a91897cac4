// params tsteps=250,n=1000
// small tsteps=3,n=8
void jac(int tsteps, int n, double A[n][n], double B[n][n])
{
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double ns = A[i-1][j] + A[i+1][j];
        double we = A[i][j-1] + A[i][j+1];
        B[i][j] = 0.2 * (A[i][j] + ns + we);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double ns = B[i-1][j] + B[i+1][j];
        double we = B[i][j-1] + B[i][j+1];
        A[i][j] = 0.2 * (B[i][j] + ns + we);
      }
  }
}
