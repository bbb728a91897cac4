// params T=100,B=64,I=512,H=512
// small T=3,B=2,I=3,H=4
void lstm(int T, int B, int I, int H, float x[T][B][I], float Wx[4][H][I], float Wh[4][H][H], float bias[4][H],
      float h[T+1][B][H], float c[T+1][B][H])
{
  float g[4][H];
#pragma redblue output h
  for (int t = 0; t < T; t++)
    for (int b = 0; b < B; b++) {
      for (int q = 0; q < 4; q++)
        for (int j = 0; j < H; j++) {
          g[q][j] = bias[q][j];
          for (int k = 0; k < I; k++)
            g[q][j] += Wx[q][j][k] * x[t][b][k];
          for (int k = 0; k < H; k++)
            g[q][j] += Wh[q][j][k] * h[t][b][k];
        }
      for (int j = 0; j < H; j++) {
        c[t+1][b][j] = sigmoid(g[1][j]) * c[t][b][j] + sigmoid(g[0][j]) * tanh(g[2][j]);
        h[t+1][b][j] = sigmoid(g[3][j]) * tanh(c[t+1][b][j]);
      }
    }
}
