// params n=2000
// small n=8
void solve(int n, double A[n][n], double b[n])
{
#pragma redblue output b
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i][k] /= A[k][k];
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= A[i][j] * b[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
}
