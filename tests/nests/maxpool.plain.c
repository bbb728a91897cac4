// params n=16,c=64,h=112,w=112
// small n=2,c=2,h=3,w=4
void pool(int n, int c, int h, int w, float x[n][c][2*h][2*w], float y[n][c][h][w])
{
  for (int b = 0; b < n; b++)
    for (int s = 0; s < c; s++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
          float m = -1e30f;
          for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++) {
              float v = x[b][s][2*i+p][2*j+q];
              if (v > m)
                m = v;
            }
          y[b][s][i][j] = m;
        }
}
