// params m=2000,n=2000
// small m=8,n=7
// column by column: all earlier columns are taken out of column j, then it is scaled
void mgs(int m, int n, double A[m][n], double R[n][n])
{
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) {
      double s = 0;
      for (int i = 0; i < m; i++) s += A[i][k] * A[i][j];
      R[k][j] = s;
      for (int i = 0; i < m; i++) A[i][j] -= A[i][k] * s;
    }
    double q = 0;
    for (int i = 0; i < m; i++) q += A[i][j] * A[i][j];
    R[j][j] = sqrt(q);
    for (int i = 0; i < m; i++) A[i][j] /= R[j][j];
  }
}
