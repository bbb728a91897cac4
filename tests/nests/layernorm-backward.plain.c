// params N=1000,D=2000
// small N=3,D=3
void layernorm_backward(int N, int D, float x[N][D], float dy[N][D], float g[D], float mean[N],
                        float rstd[N], float dx[N][D], float dg[D], float db[D])
{
  for (int d = 0; d < D; d++) { dg[d] = 0; db[d] = 0; }
  for (int i = 0; i < N; i++) {
    float s1 = 0, s2 = 0;
    for (int d = 0; d < D; d++) {
      float xh = (x[i][d] - mean[i]) * rstd[i];
      float w = dy[i][d] * g[d];
      s1 += w;
      s2 += w * xh;
      dg[d] += dy[i][d] * xh;
      db[d] += dy[i][d];
    }
    for (int d = 0; d < D; d++) {
      float xh = (x[i][d] - mean[i]) * rstd[i];
      float w = dy[i][d] * g[d];
      dx[i][d] = (w - s1 / D - xh * s2 / D) * rstd[i];
    }
  }
}
