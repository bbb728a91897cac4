// params m=2000,n=500
// small m=6,n=4
// triangular solve with many right sides
void trsm(int m, int n, double L[m][m], double B[m][n])
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double s = B[i][j];
      for (int k = 0; k < i; k++)
        s -= L[i][k] * B[k][j];
      B[i][j] = s / L[i][i];
    }
}
