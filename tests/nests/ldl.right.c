// params n=2000
// small n=8
void ldl(int n, double a[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k + 1; j <= i; j++) a[i][j] -= f * a[j][k];
      a[i][k] = f;
    }
}
