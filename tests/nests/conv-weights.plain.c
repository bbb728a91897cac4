// params n=56,c=32,f=32
// small n=3,c=2,f=2
// the gradient of a convolution with respect to its weights, gap 2.2 at M = 4K
/* gradient of a 3x3 convolution with respect to the weights */
void dW(int n, int c, int f, float X[c][n+2][n+2], float G[f][n][n], float dw[f][c][3][3])
{
  for (int o = 0; o < f; o++)
    for (int s = 0; s < c; s++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
              dw[o][s][a][b] += X[s][y+a][x+b] * G[o][y][x];
}
