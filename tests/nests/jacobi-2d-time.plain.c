// params steps=500,n=1000
// small steps=6,n=8
void jacobi(int steps, int n, double u[steps+1][n][n])
{
#pragma redblue output u
  for (int t = 1; t <= steps; t++)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        u[t][i][j] = 0.2 * (u[t-1][i][j] + u[t-1][i][j-1] + u[t-1][i][j+1] + u[t-1][i+1][j] + u[t-1][i-1][j]);
}
