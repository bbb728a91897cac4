// params n=1000
// small n=6
void mcm(int n, int p[n+1], int m[n][n])
{
#pragma redblue output m
  for (int i = 0; i < n; i++) m[i][i] = 0;
  for (int l = 2; l <= n; l++)
    for (int i = 0; i <= n - l; i++) {
      int j = i + l - 1;
      int best = m[i+1][j] + p[i] * p[i+1] * p[j+1];
      for (int k = i + 1; k < j; k++) {
        int q = m[i][k] + m[k+1][j] + p[i] * p[k+1] * p[j+1];
        if (q < best) best = q;
      }
      m[i][j] = best;
    }
}
