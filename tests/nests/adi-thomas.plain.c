// params n=2000,m=2000
// small n=6,m=5
// the Thomas algorithm for m systems
void thomas(int n, int m, double a[n][m], double b[n][m], double c[n][m], double d[n][m], double x[n][m])
{
#pragma redblue output x
  for (int j = 0; j < m; j++) {
    c[0][j] /= b[0][j];
    d[0][j] /= b[0][j];
    for (int i = 1; i < n; i++) {
      double w = b[i][j] - a[i][j] * c[i-1][j];
      c[i][j] = c[i][j] / w;
      d[i][j] = (d[i][j] - a[i][j] * d[i-1][j]) / w;
    }
    x[n-1][j] = d[n-1][j];
    for (int i = n - 2; i >= 0; i--)
      x[i][j] = d[i][j] - c[i][j] * x[i+1][j];
  }
}
