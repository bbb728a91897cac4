// params c=32,n=56
// small c=2,n=3
// windows that overlap; the maximum begins with the first of its window, which the loops name again
void maxpool(int c, int n, float x[c][2*n+1][2*n+1], float y[c][n][n])
{
  for (int s = 0; s < c; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        y[s][i][j] = x[s][2*i][2*j];
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            if (x[s][2*i+a][2*j+b] > y[s][i][j])
              y[s][i][j] = x[s][2*i+a][2*j+b];
      }
}
