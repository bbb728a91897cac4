// params N=4,C=32,G=8,H=32,W=32
// small N=2,C=4,G=2,H=2,W=2
void groupnorm(int N, int C, int G, int H, int W, float x[N][C][H][W],
               float gamma[C], float beta[C], float y[N][C][H][W])
{
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float s = 0, q = 0;
      for (int c = 0; c < C/G; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++) {
            s += x[n][g*(C/G)+c][i][j];
            q += x[n][g*(C/G)+c][i][j] * x[n][g*(C/G)+c][i][j];
          }
      float mean = s / (C/G*H*W), rstd = rsqrtf(q / (C/G*H*W) - mean*mean + 1e-5f);
      for (int c = 0; c < C/G; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            y[n][g*(C/G)+c][i][j] = (x[n][g*(C/G)+c][i][j] - mean) * rstd * gamma[g*(C/G)+c] + beta[g*(C/G)+c];
    }
}
