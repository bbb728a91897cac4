// params c=64,n=64
// small c=2,n=3
void pool(int c, int n, double x[c][2*n][2*n], double y[c][n][n])
{
  for (int s = 0; s < c; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        y[s][i][j] = 0;
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++)
            y[s][i][j] += x[s][2*i + a][2*j + b];
      }
}
