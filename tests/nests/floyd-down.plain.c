// params n=1000
// small n=7
void fw(int n, double p[n][n])
{
  for (int k = n-1; k >= 0; k--)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}
