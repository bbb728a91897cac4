// params N=2000,M=2000,K=2000
// small N=8,M=9,K=7
/* Fortran hands: 1-based, <=, a scalar accumulator, the scaling fused */
void gemm(int M, int N, int K, double alpha, double beta, double A[M+1][K+1], double B[K+1][N+1], double C[M+1][N+1])
{
  for (int i = 1; i <= M; ++i)
    for (int j = 1; j <= N; ++j) {
      double acc = beta * C[i][j];
      for (int k = 1; k <= K; ++k)
        acc += alpha * A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}
