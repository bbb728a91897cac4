// params m=2000,n=2000
// small m=9,n=8
void atax(int m, int n, double A[m][n], double x[n], double y[n], double tmp[m])
{
#pragma redblue output y
  int i, j;
  for (i = 0; i < m; i++)
    for (j = n - 1; j >= 0; j--)
      if (j == n - 1) tmp[i] = A[i][j] * x[j];
      else tmp[i] += A[i][j] * x[j];
  for (j = 0; j < n; j++) {
    y[j] = 0;
    for (i = m - 1; i >= 0; i--)
      y[j] += A[i][j] * tmp[i];
  }
}
