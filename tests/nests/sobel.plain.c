// params h=2000,w=2000
// small h=6,w=7
void sobel(int h, int w, int in[h][w], int out[h][w])
{
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int gx = in[y-1][x+1] + 2 * in[y][x+1] + in[y+1][x+1] - in[y-1][x-1] - 2 * in[y][x-1] - in[y+1][x-1];
      int gy = in[y+1][x-1] + 2 * in[y+1][x] + in[y+1][x+1] - in[y-1][x-1] - 2 * in[y-1][x] - in[y-1][x+1];
      out[y][x] = abs(gx) + abs(gy);
    }
}
