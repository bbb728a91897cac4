// params n=2048,c=4096
// small n=4,c=5
void xent(int n, int c, float z[n][c], float t[n][c], float loss[n], float grad[n][c])
{
  for (int i = 0; i < n; i++) {
    float m = z[i][0], s = 0, l = 0;
    for (int j = 1; j < c; j++)
      if (z[i][j] > m) m = z[i][j];
    for (int j = 0; j < c; j++)
      s += exp(z[i][j] - m);
    for (int j = 0; j < c; j++) {
      float p = exp(z[i][j] - m) / s;
      l -= t[i][j] * log(p);
      grad[i][j] = p - t[i][j];
    }
    loss[i] = l;
  }
}
