// params N=500,D=64
// small N=3,D=2
void delta_rule(int N, int D, float q[N][D], float k[N][D], float v[N][D], float beta[N], float o[N][D])
{
  float S[D][D], u[D];
  for (int i = 0; i < D; i++) for (int j = 0; j < D; j++) S[i][j] = 0;
  for (int t = 0; t < N; t++) {
    for (int i = 0; i < D; i++) {
      u[i] = 0;
      for (int j = 0; j < D; j++) u[i] += S[i][j] * k[t][j];
    }
    for (int i = 0; i < D; i++)
      for (int j = 0; j < D; j++)
        S[i][j] += beta[t] * (v[t][i] - u[i]) * k[t][j];
    for (int i = 0; i < D; i++) {
      o[t][i] = 0;
      for (int j = 0; j < D; j++) o[t][i] += S[i][j] * q[t][j];
    }
  }
}
