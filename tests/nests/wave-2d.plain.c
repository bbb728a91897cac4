// params n=1000,T=250
// small n=6,T=3
void wave(int n, int T, double c, double u0[n][n], double u1[n][n])
{
  double u[T+2][n][n];
#pragma redblue output u1
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      u[0][i][j] = u0[i][j];
      u[1][i][j] = u1[i][j];
    }
  for (int t = 2; t < T + 2; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[t][i][j] = 2 * u[t-1][i][j] - u[t-2][i][j] + c * (u[t-1][i-1][j] + u[t-1][i+1][j] + u[t-1][i][j-1] +
      u[t-1][i][j+1] - 4 * u[t-1][i][j]);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      u1[i][j] = u[T+1][i][j];
}
