// params h=2000,w=2000
// small h=6,w=7
void integral(int h, int w, float in[h][w], float S[h][w])
{
#pragma redblue output S
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      S[y][x] = in[y][x] + (y > 0 ? S[y-1][x] : 0) + (x > 0 ? S[y][x-1] : 0) - (y > 0 && x > 0 ? S[y-1][x-1] : 0);
}
