// params c=64,k=64,h=56,w=56
// small c=2,k=3,h=5,w=4
// "same" padding by a guard
void conv(int c, int k, int h, int w, float in[c][h][w], float wt[k][c][3][3], float out[k][h][w])
{
  for (int o = 0; o < k; o++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        out[o][y][x] = 0;
        for (int s = 0; s < c; s++)
          for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
              if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
                out[o][y][x] += in[s][y+i][x+j] * wt[o][s][i+1][j+1];
      }
}
