// params c=32,h=56,w=56
// small c=2,h=4,w=5
// two padded convolutions, one after the other
void conv(int c, int h, int w, float x[c][h][w], float k1[c][c][3][3], float mid[c][h][w],
          float k2[c][c][3][3], float y[c][h][w])
{
  for (int o = 0; o < c; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float acc = 0;
        for (int s = 0; s < c; s++)
          for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++)
              if (i + a >= 0 && i + a < h && j + b >= 0 && j + b < w)
                acc += x[s][i+a][j+b] * k1[o][s][a+1][b+1];
        mid[o][i][j] = fmaxf(acc, 0);
      }
  for (int o = 0; o < c; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float acc = 0;
        for (int s = 0; s < c; s++)
          for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++)
              if (i + a >= 0 && i + a < h && j + b >= 0 && j + b < w)
                acc += mid[s][i+a][j+b] * k2[o][s][a+1][b+1];
        y[o][i][j] = fmaxf(acc, 0);
      }
}
