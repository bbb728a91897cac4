// params m=2000,n=2000
// small m=7,n=8
// the other half, columns first, transposed storage
void syrk(int n, int m, float A[m][n], float C[n][n])
{
  for (int k = 0; k < m; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i <= j; i++)
        C[i][j] += A[k][i] * A[k][j];
}
