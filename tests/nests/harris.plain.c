// params h=2000,w=2000
// small h=8,w=9
void harris(int h, int w, float I[h][w], float R[h][w])
{
  float Ix[h][w], Iy[h][w], Sxx[h][w], Syy[h][w], Sxy[h][w];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      Ix[y][x] = I[y][x+1] - I[y][x-1];
      Iy[y][x] = I[y+1][x] - I[y-1][x];
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      Sxx[y][x] = 0; Syy[y][x] = 0; Sxy[y][x] = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          Sxx[y][x] += Ix[y+i][x+j] * Ix[y+i][x+j];
          Syy[y][x] += Iy[y+i][x+j] * Iy[y+i][x+j];
          Sxy[y][x] += Ix[y+i][x+j] * Iy[y+i][x+j];
        }
      R[y][x] = Sxx[y][x] * Syy[y][x] - Sxy[y][x] * Sxy[y][x] - 0.04f * (Sxx[y][x] + Syy[y][x]) * (Sxx[y][x] +
      Syy[y][x]);
    }
}
