// params t=2048,d=2048,h=2048
// small t=4,d=6,h=5
void rms(int t, int d, int h, float x[t][d], float g[d], float w[h][d], float y[t][h])
{
  for (int i = 0; i < t; i++) {
    float ss = 0.0f;
    for (int j = 0; j < d; j++)
      ss += x[i][j] * x[i][j];
    ss = 1.0f / sqrtf(ss / d + 1e-6f);
    float xn[d];
    for (int j = 0; j < d; j++)
      xn[j] = g[j] * (ss * x[i][j]);
    for (int k = 0; k < h; k++) {
      float val = 0.0f;
      for (int j = 0; j < d; j++)
        val += w[k][j] * xn[j];
      y[i][k] = val;
    }
  }
}
