// params p=2000,q=2000,r=2000,s=2000,t=2000
// small p=6,q=5,r=7,s=4,t=6
void three(int p, int q, int r, int s, int t, float A[p][q], float B[q][r], float C[r][s], float D[s][t], float
      G[p][t])
{
  float E[p][r], F[r][t];
  int i, j, k;
  for (i = r; i-- > 0; )
    for (j = t; j-- > 0; ) {
      F[i][j] = 0.f;
      for (k = s - 1; k >= 0; --k)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (i = p - 1; i >= 0; i--) {
    for (j = r - 1; j >= 0; j--) {
      E[i][j] = A[i][0] * B[0][j];
      for (k = 1; k < q; k++)
        E[i][j] += A[i][k] * B[k][j];
    }
    for (j = 0; j < t; j++) {
      G[i][j] = E[i][0] * F[0][j];
      for (k = 1; k <= r - 1; k++)
        G[i][j] += E[i][k] * F[k][j];
    }
  }
}
