// params T=500,H=48
// small T=3,H=2
// one sequence: eight matrices, each of which fits, are read anew in every step; the bound sees none, gap 60 at M = 4K
// an LSTM cell over one sequence, as scalars
void lstm1(int T, int H, double x[T][H], double Wi[H][H], double Wf[H][H], double Wo[H][H], double Wg[H][H],
           double Ui[H][H], double Uf[H][H], double Uo[H][H], double Ug[H][H], double h[H],
           double c[H], double out[T][H])
{
  double ni[H], nf[H], no[H], ng[H];
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < H; j++) {
      ni[j] = 0; nf[j] = 0; no[j] = 0; ng[j] = 0;
      for (int k = 0; k < H; k++) {
        ni[j] += Wi[j][k] * x[t][k] + Ui[j][k] * h[k];
        nf[j] += Wf[j][k] * x[t][k] + Uf[j][k] * h[k];
        no[j] += Wo[j][k] * x[t][k] + Uo[j][k] * h[k];
        ng[j] += Wg[j][k] * x[t][k] + Ug[j][k] * h[k];
      }
    }
    for (int j = 0; j < H; j++) {
      c[j] = sig(nf[j]) * c[j] + sig(ni[j]) * tanh(ng[j]);
      h[j] = sig(no[j]) * tanh(c[j]);
      out[t][j] = h[j];
    }
  }
}
