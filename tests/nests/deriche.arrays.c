// params w=2000,h=2000
// small w=7,h=8
// reads its own earlier elements, under conditions, no scalars
void deriche(int w, int h, float a[8], float b1, float b2, float in[w][h], float out[w][h])
{
  float f[w][h], g[w][h], s[w][h], p[w][h], q[w][h];
  const float a1 = 1, a2 = 2;
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < h; j++)
      f[i][j] = a1 * in[i][j] + (j > 0 ? a2 * in[i][j-1] + b1 * f[i][j-1] : 0) + (j > 1 ? b2 * f[i][j-2] : 0);
    for (int j = h - 1; j >= 0; j--)
      g[i][j] = (j < h - 1 ? a1 * in[i][j+1] + b1 * g[i][j+1] : 0) + (j < h - 2 ? a2 * in[i][j+2] + b2 *
      g[i][j+2] : 0);
    for (int j = 0; j < h; j++)
      s[i][j] = f[i][j] + g[i][j];
  }
  for (int j = 0; j < h; j++) {
    for (int i = 0; i < w; i++)
      p[i][j] = a1 * s[i][j] + (i > 0 ? a2 * s[i-1][j] + b1 * p[i-1][j] : 0) + (i > 1 ? b2 * p[i-2][j] : 0);
    for (int i = w - 1; i >= 0; i--)
      q[i][j] = (i < w - 1 ? a1 * s[i+1][j] + b1 * q[i+1][j] : 0) + (i < w - 2 ? a2 * s[i+2][j] + b2 * q[i+2][j] : 0);
    for (int i = 0; i < w; i++)
      out[i][j] = p[i][j] + q[i][j];
  }
}
