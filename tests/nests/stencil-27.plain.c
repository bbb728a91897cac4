// params n=60,T=20
// small n=5,T=2
// a sum over 3 x 3 x 3 in each step; gap 10 at M = 4K (266)
void st(int T, int n, double A[n][n][n], double B[n][n][n])
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++)
        for (int k = 1; k < n-1; k++) {
          double s = 0;
          for (int di = -1; di <= 1; di++)
            for (int dj = -1; dj <= 1; dj++)
              for (int dk = -1; dk <= 1; dk++)
                s += A[i+di][j+dj][k+dk];
          B[i][j][k] = s / 27;
        }
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++)
        for (int k = 1; k < n-1; k++)
          A[i][j][k] = B[i][j][k];
  }
}
