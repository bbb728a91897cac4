// params m=2000,n=2000
// small m=8,n=7
// the half that is stored, chosen step by step
void symm(int m, int n, double C[m][n], double A[m][m], double B[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double s = C[i][j];
      for (int k = 0; k < m; k++)
        s += (k <= i ? A[i][k] : A[k][i]) * B[k][j];
      C[i][j] = s;
    }
}
