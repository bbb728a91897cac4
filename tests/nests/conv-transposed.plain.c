// params c=64,f=64,h=28,w=28
// small c=2,f=3,h=3,w=4
// scattered: stride 2, kernel 2
void up(int c, int f, int h, int w, float X[c][h][w], float W[c][f][2][2], float Y[f][2*h][2*w])
{
  for (int o = 0; o < f; o++)
    for (int y = 0; y < 2 * h; y++)
      for (int x = 0; x < 2 * w; x++)
        Y[o][y][x] = 0;
  for (int s = 0; s < c; s++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int o = 0; o < f; o++)
          for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
              Y[o][2*y+p][2*x+q] += X[s][y][x] * W[s][o][p][q];
}
