// params C=64,T=2000,D=8
// small C=2,T=5,D=2
// a dilated causal layer with tanh and sigmoid gates and a residual
void layer(int C, int T, int D, float x[C][T+D], float wf[C][C][2], float wg[C][C][2], float wr[C][C], float y[C][T])
{
  float z[C][T];
  for (int o = 0; o < C; o++)
    for (int t = 0; t < T; t++) {
      float f = 0, g = 0;
      for (int c = 0; c < C; c++)
        for (int k = 0; k < 2; k++) {
          f += wf[o][c][k] * x[c][t + k*D];
          g += wg[o][c][k] * x[c][t + k*D];
        }
      z[o][t] = tanhf(f) * sigmoid(g);
    }
  for (int o = 0; o < C; o++)
    for (int t = 0; t < T; t++) {
      float r = x[o][t + D];
      for (int c = 0; c < C; c++)
        r += wr[o][c] * z[c][t];
      y[o][t] = r;
    }
}
