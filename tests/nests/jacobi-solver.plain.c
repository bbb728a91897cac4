// params n=2000,T=20
// small n=6,T=3
void jacobi(int n, int T, double A[n][n], double b[n], double x[n])
{
  double y[n];
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int j = 0; j < n; j++)
        if (j != i)
          s -= A[i][j] * x[j];
      y[i] = s / A[i][i];
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}
