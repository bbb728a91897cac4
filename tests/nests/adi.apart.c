// params tsteps=100,n=1000
// small tsteps=3,n=8
void adi(int tsteps, int n, double a, double b, double c, double d, double e, double f, double u[n][n])
{
  double v[n][n], p[n][n], q[n][n];
#pragma redblue output u
#pragma scop
  for (int t = 0; t < tsteps; ++t) {
    for (int i = 1; i <= n-2; ++i) {
      p[i][0] = 0.0;
      q[i][0] = 1.0;
      for (int j = 1; j <= n-2; ++j) {
        double den = a * p[i][j-1] + b;
        p[i][j] = -c / den;
        q[i][j] = (-d * u[j][i-1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i+1] - a * q[i][j-1]) / den;
      }
    }
    for (int i = 1; i <= n-2; ++i) {
      v[n-1][i] = 1.0;
      v[0][i] = 1.0;
      for (int j = 2; j <= n-1; ++j)
        v[n-j][i] = p[i][n-j] * v[n-j+1][i] + q[i][n-j];
    }
    for (int i = 1; i <= n-2; ++i) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = 1.0;
      for (int j = 1; j <= n-2; ++j) {
        p[i][j] = -f / (d * p[i][j-1] + e);
        q[i][j] = (-a * v[i-1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i+1][j] - d * q[i][j-1]) / (d * p[i][j-1] + e);
      }
      u[i][n-1] = 1.0;
      for (int j = n-2; j > 0; --j)
        u[i][j] = p[i][j] * u[i][j+1] + q[i][j];
    }
  }
#pragma endscop
}
