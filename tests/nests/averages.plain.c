// params c=64,n=64
// small c=2,n=3
// loops over places from which the loops over blocks follow by quotients
void pool(int c, int n, double x[c][2*n][2*n], double y[c][n][n])
{
  for (int s = 0; s < c; s++)
    for (int i = 0; i < 2*n; i += 2)
      for (int j = 0; j < 2*n; j += 2) {
        double t = 0;
        for (int a = i; a < i + 2; a++)
          for (int b = j; b < j + 2; b++)
            t += x[s][a][b];
        y[s][i / 2][j / 2] = t / 4;
      }
}
