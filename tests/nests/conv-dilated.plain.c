// params c=64,f=64,h=56,w=56
// small c=2,f=3,h=4,w=6
void dilated(int c, int f, int h, int w, float X[c][h+4][w+4], float W[f][c][3][3], float Y[f][h][w])
{
  for (int o = 0; o < f; ++o)
    for (int s = 0; s < c; ++s)
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x)
              Y[o][y][x] += W[o][s][p][q] * X[s][y + 2*p][x + 2*q];
}
