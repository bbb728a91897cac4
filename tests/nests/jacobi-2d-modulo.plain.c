// params steps=500,n=1000
// small steps=6,n=8
void jacobi(int steps, int n, double A[2][n][n])
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t+1)%2][i][j] = 0.2 * (A[t%2][i][j] + A[t%2][i][j-1] + A[t%2][i][j+1] + A[t%2][i+1][j] + A[t%2][i-1][j]);
}
