// params n=2000
// small n=8
void trsv(int n, double L[n][n], double x[n])
{
  for (int j = 0; j < n; j++) {
    x[j] /= L[j][j];
    for (int i = j + 1; i < n; i++)
      x[i] -= L[i][j] * x[j];
  }
}
