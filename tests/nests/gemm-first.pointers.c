// params m=2000,n=2000,k=2000
// small m=9,n=8,k=7
/* pointers to rows, counting down */
void dgemm(int m, int n, int k, double beta, double **c, double **a, double **b)
{
  for (int p = k - 1; p >= 0; p--)
    for (int i = m - 1; i >= 0; i -= 1)
      for (int j = 0; j < n; j += 1)
        if (p == k - 1)
          c[i][j] = beta * c[i][j] + a[i][p] * b[p][j];
        else
          c[i][j] = c[i][j] + a[i][p] * b[p][j];
}
