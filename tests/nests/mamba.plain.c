// params L=1024,D=256,N=16
// small L=3,D=2,N=2
void selective_scan(int L, int D, int N, float u[L][D], float delta[L][D], float A[D][N], float B[L][N],
                     float C[L][N], float Dd[D], float y[L][D])
{
  float h[L+1][D][N];
  for (int t = 0; t < L; t++)
    for (int d = 0; d < D; d++) {
      float acc = 0;
      for (int n = 0; n < N; n++) {
        h[t+1][d][n] = exp(delta[t][d] * A[d][n]) * h[t][d][n] + delta[t][d] * B[t][n] * u[t][d];
        acc += C[t][n] * h[t+1][d][n];
      }
      y[t][d] = acc + Dd[d] * u[t][d];
    }
}
