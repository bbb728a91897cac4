// params n=1000
// small n=7
void floyd(int n, double d[2][n][n])
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[(k+1)%2][i][j] = min(d[k%2][i][j], d[k%2][i][k] + d[k%2][k][j]);
}
