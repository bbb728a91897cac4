// params n=64
// small n=3
void tc(int n, double A[n][n][n][n], double B[n][n][n][n], double C[n][n][n][n])
{
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int e = 0; e < n; e++)
        for (int f = 0; f < n; f++)
          for (int c = 0; c < n; c++)
            for (int d = 0; d < n; d++)
              C[a][b][c][d] = (e == 0 && f == 0 ? 0 : C[a][b][c][d]) + A[a][e][b][f] * B[d][f][c][e];
}
