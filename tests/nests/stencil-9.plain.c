// params n=200,T=20
// small n=5,T=3
// a sum over 3 x 3 in each step; gap 1.9 at M = 2K (29)
void st(int T, int n, double A[n][n], double B[n][n])
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++) {
          double s = 0;
          for (int di = -1; di <= 1; di++)
            for (int dj = -1; dj <= 1; dj++)
                s += A[i+di][j+dj];
          B[i][j] = s / 9;
        }
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++)
          A[i][j] = B[i][j];
  }
}
