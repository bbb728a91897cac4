// params n=2000
// small n=8
// left-looking by columns, 1-based, the result in an array of its own
void chol(int n, double A[n+1][n+1], double L[n+1][n+1])
{
  for (int j = 1; j <= n; j++) {
    for (int i = j; i <= n; i++) {
      double s = A[i][j];
      for (int k = 1; k <= j - 1; k++)
        s -= L[i][k] * L[j][k];
      if (i == j)
        L[j][j] = sqrt(s);
      else
        L[i][j] = s / L[j][j];
    }
  }
}
