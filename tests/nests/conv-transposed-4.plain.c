// params C=32,F=16,H=32,W=32
// small C=2,F=2,H=3,W=3
// scattered: stride 2, kernel 4, so that four places add to an element; gap 3.6 at M = 4K (82)
// transposed convolution of stride 2, kernel 4
void deconv(int C, int F, int H, int W, float in[C][H][W], float w[C][F][4][4], float out[F][2*H+2][2*W+2])
{
  for (int f = 0; f < F; f++)
    for (int y = 0; y < 2*H+2; y++)
      for (int x = 0; x < 2*W+2; x++)
        out[f][y][x] = 0;
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int f = 0; f < F; f++)
          for (int r = 0; r < 4; r++)
            for (int s = 0; s < 4; s++)
              out[f][2*y+r][2*x+s] += in[c][y][x] * w[c][f][r][s];
}
