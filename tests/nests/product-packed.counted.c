// params n=2000,m=2000,k=2000
// small n=9,m=8,k=7
void packed(int n, int m, int k, double *A, double *B, double *C)
{
  double b[m*k];
  int idx = 0;
  for (int j = 0; j < m; j++)
    for (int p = 0; p < k; p++)
      b[idx++] = B[p*m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int p = 0; p < k; p++) s += A[i*k + p] * b[j*k + p];
      C[i*m + j] = s;
    }
}
