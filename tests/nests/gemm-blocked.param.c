// params n=512,bs=32
// small n=4,bs=2
// steps by a parameter; gap 1.08 at M = 4K
#define MIN(a,b) ((a)<(b)?(a):(b))
void mm(int n, int bs, double *a, double *b, double *c)
{
  int i, j, k, ii, jj, kk;
  for (i = 0; i < n*n; i++) c[i] = 0;
  for (ii = 0; ii < n; ii += bs)
    for (kk = 0; kk < n; kk += bs)
      for (jj = 0; jj < n; jj += bs)
        for (i = ii; i < MIN(ii+bs, n); i++)
          for (k = kk; k < MIN(kk+bs, n); k++) {
            double r = a[i*n+k];
            for (j = jj; j < MIN(jj+bs, n); j++)
              c[i*n+j] += r * b[k*n+j];
          }
}
