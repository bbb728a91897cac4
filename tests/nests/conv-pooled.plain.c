// params C=16,F=32,H=128,W=128
// small C=2,F=2,H=4,W=4
// a maximum of 2 x 2 is made in the tiles of the convolution
void conv_pool(int C, int F, int H, int W, float in[C][H+2][W+2], float w[F][C][3][3],
               float bias[F], float out[F][H/2][W/2])
{
  float y[F][H][W];
  for (int f = 0; f < F; f++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float acc = bias[f];
        for (int c = 0; c < C; c++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              acc += in[c][i+p][j+q] * w[f][c][p][q];
        y[f][i][j] = fmaxf(acc, 0);
      }
  for (int f = 0; f < F; f++)
    for (int i = 0; i < H/2; i++)
      for (int j = 0; j < W/2; j++) {
        float m = y[f][2*i][2*j];
        for (int p = 0; p < 2; p++)
          for (int q = 0; q < 2; q++)
            m = fmaxf(m, y[f][2*i+p][2*j+q]);
        out[f][i][j] = m;
      }
}
