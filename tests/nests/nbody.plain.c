// params n=10000
// small n=8
void forces(int n, double x[n], double y[n], double m[n], double fx[n], double fy[n])
{
  for (int i = 0; i < n; i++) {
    fx[i] = 0;
    fy[i] = 0;
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      double dx = x[j] - x[i], dy = y[j] - y[i];
      double s = m[j] / pow(dx * dx + dy * dy, 1.5);
      fx[i] += dx * s;
      fy[i] += dy * s;
    }
  }
}
