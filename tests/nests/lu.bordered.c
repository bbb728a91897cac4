// params n=2000
// small n=8
// bordered: row k and column k of a leading block by two triangular solves
void lu(int n, double A[n][n])
{
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) {
      for (int p = 0; p < j; p++)
        A[k][j] -= A[k][p] * A[p][j];
      A[k][j] /= A[j][j];
    }
    for (int i = 0; i < k; i++)
      for (int p = 0; p < i; p++)
        A[i][k] -= A[i][p] * A[p][k];
    for (int p = 0; p < k; p++)
      A[k][k] -= A[k][p] * A[p][k];
  }
}
