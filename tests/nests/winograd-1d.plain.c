// params C=64,F=64,T=1024
// small C=2,F=2,T=2
// F(2,3) in a line; transforms are stored, gap 2.7 at M = 4K
void wino(int C, int F, int T, float x[C][2*T+2], float g[F][C][3], float y[F][2*T])
{
  float u[F][C][4], v[C][T][4], m[F][T][4];
  for (int f = 0; f < F; f++)
    for (int c = 0; c < C; c++) {
      u[f][c][0] = g[f][c][0];
      u[f][c][1] = (g[f][c][0] + g[f][c][1] + g[f][c][2]) / 2;
      u[f][c][2] = (g[f][c][0] - g[f][c][1] + g[f][c][2]) / 2;
      u[f][c][3] = g[f][c][2];
    }
  for (int c = 0; c < C; c++)
    for (int t = 0; t < T; t++) {
      v[c][t][0] = x[c][2*t] - x[c][2*t+2];
      v[c][t][1] = x[c][2*t+1] + x[c][2*t+2];
      v[c][t][2] = x[c][2*t+2] - x[c][2*t+1];
      v[c][t][3] = x[c][2*t+1] - x[c][2*t+3];
    }
  for (int f = 0; f < F; f++)
    for (int t = 0; t < T; t++)
      for (int a = 0; a < 4; a++) {
        m[f][t][a] = 0;
        for (int c = 0; c < C; c++)
          m[f][t][a] += u[f][c][a] * v[c][t][a];
      }
  for (int f = 0; f < F; f++)
    for (int t = 0; t < T; t++) {
      y[f][2*t] = m[f][t][0] + m[f][t][1] + m[f][t][2];
      y[f][2*t+1] = m[f][t][1] - m[f][t][2] - m[f][t][3];
    }
}
