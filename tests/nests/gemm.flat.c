// params m=2000,n=2000,k=2000
// small m=9,n=8,k=7
/* flat arrays with a leading dimension written out */
void sgemm(int m, int n, int k, const float *restrict a, const float *restrict b, float *restrict c)
{
  int i, j, p;
  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) {
      float s = c[i * n + j];
      for (p = 0; p < k; p++)
        s = s + a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
}
