// params c=64,f=64,n=56
// small c=2,f=2,n=5
// "same" padding by clipped loops, with a bias: the sum begins with b[o] at four kinds of places
void conv(int c, int f, int n, float X[c][n][n], float W[f][c][3][3], float b[f], float Y[f][n][n])
{
  for (int o = 0; o < f; o++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        Y[o][y][x] = b[o];
        for (int s = 0; s < c; s++)
          for (int i = max(0, 1 - y); i < min(3, n + 1 - y); i++)
            for (int j = max(0, 1 - x); j < min(3, n + 1 - x); j++)
              Y[o][y][x] += X[s][y+i-1][x+j-1] * W[o][s][i][j];
      }
}
