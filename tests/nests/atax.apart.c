// params m=2000,n=2000
// small m=9,n=8
// two products, one after the other, columns outermost in the second
void atax(int m, int n, double A[m][n], double x[n], double y[n])
{
  double t[m];
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) s += A[i][j] * x[j];
    t[i] = s;
  }
  for (int j = 0; j < n; j++) {
    double s = 0;
    for (int i = 0; i < m; i++) s += A[i][j] * t[i];
    y[j] = s;
  }
}
