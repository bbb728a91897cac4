// params c=128,f=128,h=56,w=56
// small c=2,f=3,h=3,w=4
// depthwise 3x3, then pointwise
void sep(int c, int f, int h, int w, float x[c][h+2][w+2], float dw[c][3][3], float pw[f][c],
         float mid[c][h][w], float y[f][h][w])
{
  for (int s = 0; s < c; s++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float acc = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            acc += x[s][i+a][j+b] * dw[s][a][b];
        mid[s][i][j] = acc;
      }
  for (int o = 0; o < f; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float acc = 0;
        for (int s = 0; s < c; s++)
          acc += mid[s][i][j] * pw[o][s];
        y[o][i][j] = acc;
      }
}
