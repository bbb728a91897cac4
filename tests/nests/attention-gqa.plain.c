// params g=8,t=2048,d=64
// small g=2,t=4,d=2
// four query heads share keys and values
void gqa(int g, int t, int d, float q[g][4][t][d], float k[g][t][d], float v[g][t][d], float o[g][4][t][d])
{
  for (int a = 0; a < g; a++)
    for (int h = 0; h < 4; h++)
      for (int i = 0; i < t; i++) {
        float p[t], l = 0;
        for (int j = 0; j < t; j++) {
          float s = 0;
          for (int x = 0; x < d; x++)
            s += q[a][h][i][x] * k[a][j][x];
          p[j] = exp(s);
        }
        for (int j = 0; j < t; j++)
          l += p[j];
        for (int x = 0; x < d; x++) {
          o[a][h][i][x] = 0;
          for (int j = 0; j < t; j++)
            o[a][h][i][x] += p[j] * v[a][j][x];
          o[a][h][i][x] /= l;
        }
      }
}
