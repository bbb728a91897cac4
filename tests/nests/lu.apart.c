// params n=2000
// small n=8
void lu(int n, double A[n][n], double L[n][n], double U[n][n])
{
#pragma redblue output L, U
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      double s = A[i][j];
      for (int k = 0; k < i; k++)
        s -= L[i][k] * U[k][j];
      U[i][j] = s;
    }
    for (int j = i + 1; j < n; j++) {
      double s = A[j][i];
      for (int k = 0; k < i; k++)
        s -= L[j][k] * U[k][i];
      L[j][i] = s / U[i][i];
    }
  }
#pragma endscop
}
