// params n=16,c=256,h=56,w=56
// small n=2,c=3,h=4,w=5
void depthwise(int n, int c, int h, int w, float x[n][c][h+2][w+2], float k[c][3][3], float y[n][c][h][w])
{
  int b, s, i, j, p, q;
  for (b = 0; b < n; b++)
    for (s = 0; s < c; s++)
      for (i = 0; i < h; i++)
        for (j = 0; j < w; j++) {
          y[b][s][i][j] = 0.0f;
          for (p = 0; p < 3; p++)
            for (q = 0; q < 3; q++)
              y[b][s][i][j] += x[b][s][i+p][j+q] * k[s][p][q];
        }
}
