// params m=2000,n=2000
// small m=7,n=6
void symm(int m, int n, double C[m][n], double A[m][m], double B[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        if (k <= i)
          C[i][j] += A[i][k] * B[k][j];
        else
          C[i][j] += A[k][i] * B[k][j];
}
