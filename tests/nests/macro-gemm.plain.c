// params n=2000,lda=2000,ldb=2000,ldc=2000
// small n=6,lda=6,ldb=6,ldc=6
#define A(i,j) a[(i)*lda + (j)]
#define B(i,j) b[(i)*ldb + (j)]
#define C(i,j) c[(i)*ldc + (j)]
#define MAX(x, y) ((x) > (y) ? (x) : (y))
void gemm(int n, double *a, int lda, double *b, int ldb, double *c, int ldc)
{
  for (int j = 0; j != n; ++j)
    for (int i = 0; i != n; ++i)
      for (int p = 0; p != n; ++p)
        C(i,j) += A(i,p) * B(p,j);
}
