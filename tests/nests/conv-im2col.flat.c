// params C=32,F=64,H=32,W=32
// small C=2,F=2,H=2,W=2
// windows side by side in a matrix, its rows counted through; gap 3.4 at M = 4K (160)
void im2col_conv(int C, int F, int H, int W, float x[C][H+2][W+2], float w[F][C*9], float y[F][H*W])
{
  float col[C*9][H*W];
  for (int c = 0; c < C; c++)
    for (int r = 0; r < 3; r++)
      for (int s = 0; s < 3; s++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            col[c*9 + r*3 + s][i*W + j] = x[c][i+r][j+s];
  for (int f = 0; f < F; f++)
    for (int p = 0; p < H*W; p++) {
      y[f][p] = 0;
      for (int k = 0; k < C*9; k++)
        y[f][p] += w[f][k] * col[k][p];
    }
}
