// params n=2000,m=2000
// small n=5,m=3
// columns counted from the diagonal on: rows i + jj and i of one array overlap; gap 1.2 at M = 4K (44)
void k(int n, int m, double *C, const double *A)
{
  int i, jj, k;
  for (k = 0; k < m; k++)
    for (i = 0; i < n; i++)
      for (jj = 0; jj < n - i; jj++)
        C[(i + jj) * n + i] = C[(i + jj) * n + i] + A[(i + jj) * m + k] * A[i * m + k];
}
