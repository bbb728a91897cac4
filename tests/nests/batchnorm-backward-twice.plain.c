// params n=2048,c=2048
// small n=5,c=4
void bn_bwd(int n, int c, float x[n][c], float dy[n][c], float mean[c], float istd[c], float g[c], float
      dx[n][c], float dg[c], float db[c])
{
  for (int j = 0; j < c; j++) {
    dg[j] = 0;
    db[j] = 0;
    for (int i = 0; i < n; i++) {
      float xh = (x[i][j] - mean[j]) * istd[j];
      dg[j] += dy[i][j] * xh;
      db[j] += dy[i][j];
    }
    for (int i = 0; i < n; i++) {
      float xh = (x[i][j] - mean[j]) * istd[j];
      dx[i][j] = g[j] * istd[j] * (dy[i][j] - (db[j] + xh * dg[j]) / n);
    }
  }
}
