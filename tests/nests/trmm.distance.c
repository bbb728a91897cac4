// params m=2000,n=2000
// small m=7,n=6
void trmm(int m, int n, double A[m][m], double B[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int d = 1; d < m - i; d++)
        B[i][j] += A[i + d][i] * B[i + d][j];
      B[i][j] *= 3;
    }
}
