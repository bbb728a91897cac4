// params n=2000
// small n=6
// the lower triangle, row after row
void spmv(int n, double a[n*(n+1)/2], double x[n], double y[n])
{
  int idx = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j <= i; j++)
      y[i] += a[idx++] * x[j];
  }
}
