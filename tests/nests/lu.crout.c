// params n=2000
// small n=8
// factors in arrays of their own, a reciprocal of the pivot in a scalar
void lu(int n, double A[n][n], double L[n][n], double U[n][n])
{
  for (int k = 0; k < n; k++) {
    for (int j = k; j < n; j++) {
      double s = A[k][j];
      for (int p = 0; p < k; p++)
        s = s - L[k][p] * U[p][j];
      U[k][j] = s;
    }
    for (int i = k + 1; i < n; i++) {
      double s = A[i][k];
      for (int p = 0; p < k; p++)
        s = s - L[i][p] * U[p][k];
      L[i][k] = s / U[k][k];
    }
  }
}
