// params m=2000,n=2000
// small m=7,n=8
void syrk(int n, int m, float A[n][m], float C[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j <= i)
        for (int k = 0; k < m; k++)
          C[i][j] = C[i][j] + A[i][k] * A[j][k];
}
