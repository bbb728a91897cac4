// params n=2048,d=64
// small n=3,d=2
// rotated in place, then multiplied
void rope(int n, int d, float q[n][d], float k[n][d], float cs[n][d/2], float sn[n][d/2], float s[n][n])
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < d/2; c++) {
      float a = q[i][c], b = q[i][c + d/2];
      q[i][c] = a * cs[i][c] - b * sn[i][c];
      q[i][c + d/2] = a * sn[i][c] + b * cs[i][c];
    }
  for (int i = 0; i < n; i++)
    for (int c = 0; c < d/2; c++) {
      float a = k[i][c], b = k[i][c + d/2];
      k[i][c] = a * cs[i][c] - b * sn[i][c];
      k[i][c + d/2] = a * sn[i][c] + b * cs[i][c];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int c = 0; c < d; c++)
        t += q[i][c] * k[j][c];
      s[i][j] = t;
    }
}
