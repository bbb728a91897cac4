// params T=500,H=64,I=64
// small T=3,H=3,I=2
// four sums run together; gap 2.2 at M = 4K
void lstm(int T, int H, int I, float x[T][I], float Wi[H][I], float Wf[H][I], float Wc[H][I], float Wo[H][I],
  float Ui[H][H], float Uf[H][H], float Uc[H][H], float Uo[H][H], float bi[H], float bf[H], float bc[H],
  float bo[H], float h[T+1][H], float c[H])
{
  float i_g[H], f_g[H], c_g[H], o_g[H];
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < H; j++) {
      float a = bi[j], b = bf[j], d = bc[j], e = bo[j];
      for (int k = 0; k < I; k++) {
        a += Wi[j][k] * x[t][k]; b += Wf[j][k] * x[t][k]; d += Wc[j][k] * x[t][k]; e += Wo[j][k] * x[t][k];
      }
      for (int k = 0; k < H; k++) {
        a += Ui[j][k] * h[t][k]; b += Uf[j][k] * h[t][k]; d += Uc[j][k] * h[t][k]; e += Uo[j][k] * h[t][k];
      }
      i_g[j] = sigmoid(a), f_g[j] = sigmoid(b), c_g[j] = tanh(d), o_g[j] = sigmoid(e);
    }
    for (int j = 0; j < H; j++) {
      c[j] = f_g[j] * c[j] + i_g[j] * c_g[j];
      h[t+1][j] = o_g[j] * tanh(c[j]);
    }
  }
}
