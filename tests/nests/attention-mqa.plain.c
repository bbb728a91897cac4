// params H=8,N=256,D=32
// small H=2,N=3,D=2
// multi-query causal attention, online softmax
void mqa(int H, int N, int D, float q[H][N][D], float k[N][D], float v[N][D], float o[H][N][D])
{
  for (int h = 0; h < H; h++)
    for (int i = 0; i < N; i++) {
      float m = -INFINITY, l = 0, acc[D];
      for (int d = 0; d < D; d++) acc[d] = 0;
      for (int j = 0; j <= i; j++) {
        float s = 0;
        for (int d = 0; d < D; d++) s += q[h][i][d] * k[j][d];
        float mn = fmaxf(m, s);
        float c = expf(m - mn), p = expf(s - mn);
        l = l * c + p;
        for (int d = 0; d < D; d++) acc[d] = acc[d] * c + p * v[j][d];
        m = mn;
      }
      for (int d = 0; d < D; d++) o[h][i][d] = acc[d] / l;
    }
}
