// params n=4,g=8,h=56,w=56
// small n=2,g=2,h=4,w=5
// channels are numbered through: 32 a group
void grouped(int n, int g, int h, int w, float X[n][g*32][h+2][w+2], float W[g*32][32][3][3], float Y[n][g*32][h][w])
{
  for (int b = 0; b < n; b++)
    for (int q = 0; q < g; q++)
      for (int o = 0; o < 32; o++)
        for (int y = 0; y < h; y++)
          for (int x = 0; x < w; x++) {
            Y[b][32*q+o][y][x] = 0;
            for (int s = 0; s < 32; s++)
              for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                  Y[b][32*q+o][y][x] += X[b][32*q+s][y+i][x+j] * W[32*q+o][s][i][j];
          }
}
