// params m=2000,n=2000
// small m=7,n=8
void cov(int m, int n, double float_n, double data[n][m], double cov[m][m], double mean[m])
{
#pragma redblue output cov
#pragma scop
  for (int j = 0; j < m; j++)
    mean[j] = 0;
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      mean[j] += data[i][j];
  for (int j = 0; j < m; j++)
    mean[j] /= float_n;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      data[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      cov[i][j] = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j <= i; j++)
        cov[i][j] += data[k][i] * data[k][j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      cov[i][j] /= float_n - 1.0;
      cov[j][i] = cov[i][j];
    }
#pragma endscop
}
