// params H=32,G=8,N=2000,D=64
// small H=4,G=2,N=3,D=2
// one new token against the cache, H query heads in G groups
void decode(int H, int G, int N, int D, float q[H][D], float Kc[G][N][D], float Vc[G][N][D], float o[H][D])
{
  for (int h = 0; h < H; h++) {
    float s[N], m = -INFINITY, l = 0;
    for (int j = 0; j < N; j++) {
      s[j] = 0;
      for (int d = 0; d < D; d++) s[j] += q[h][d] * Kc[h / (H / G)][j][d];
      m = fmaxf(m, s[j]);
    }
    for (int j = 0; j < N; j++) { s[j] = expf(s[j] - m); l += s[j]; }
    for (int d = 0; d < D; d++) {
      o[h][d] = 0;
      for (int j = 0; j < N; j++) o[h][d] += s[j] * Vc[h / (H / G)][j][d];
      o[h][d] /= l;
    }
  }
}
