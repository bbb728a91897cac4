// params h=2000,w=2000
// small h=7,w=8
void blur(int h, int w, float in[h][w], float k[5], float out[h][w])
{
  float tmp[h][w];
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++) {
      tmp[y][x] = 0;
      for (int i = -2; i <= 2; i++)
        tmp[y][x] += k[i+2] * in[y][x+i];
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      out[y][x] = 0;
      for (int i = -2; i <= 2; i++)
        out[y][x] += k[i+2] * tmp[y+i][x];
    }
}
