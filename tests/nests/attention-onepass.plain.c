// params n=2048,d=64
// small n=4,d=2
// one pass with a running maximum and rescaling, in scalars
/* one pass attention with running maximum and rescaling */
void flash(int n, int d, float Q[n][d], float K[n][d], float V[n][d], float O[n][d])
{
  for (int i = 0; i < n; i++) {
    float m = -1e30, l = 0;
    float acc[d];
    for (int c = 0; c < d; c++) acc[c] = 0;
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int c = 0; c < d; c++) s += Q[i][c] * K[j][c];
      float mn = fmaxf(m, s);
      float p = exp(s - mn), r = exp(m - mn);
      l = l * r + p;
      for (int c = 0; c < d; c++) acc[c] = acc[c] * r + p * V[j][c];
      m = mn;
    }
    for (int c = 0; c < d; c++) O[i][c] = acc[c] / l;
  }
}
