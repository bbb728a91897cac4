// params n=1000,T=100
// small n=6,T=2
// lattice Boltzmann, five velocities: pull and collide
void lbm(int n, int T, double f[5][n][n], double g[5][n][n])
{
  double r[n][n];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double f0 = f[0][i][j], f1 = f[1][i-1][j], f2 = f[2][i+1][j], f3 = f[3][i][j-1], f4 = f[4][i][j+1];
        r[i][j] = f0 + f1 + f2 + f3 + f4;
        g[0][i][j] = relax(f0, r[i][j]);
        g[1][i][j] = relax(f1, r[i][j]);
        g[2][i][j] = relax(f2, r[i][j]);
        g[3][i][j] = relax(f3, r[i][j]);
        g[4][i][j] = relax(f4, r[i][j]);
      }
    for (int q = 0; q < 5; q++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          f[q][i][j] = g[q][i][j];
  }
}
