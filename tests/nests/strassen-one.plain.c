// params n=1000
// small n=3
// one level: seven products of quarters
void strassen(int n, double A[2][2][n][n], double B[2][2][n][n], double C[2][2][n][n])
{
  double S[7][n][n], T[7][n][n], P[7][n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      S[0][i][j] = A[0][0][i][j] + A[1][1][i][j];  T[0][i][j] = B[0][0][i][j] + B[1][1][i][j];
      S[1][i][j] = A[1][0][i][j] + A[1][1][i][j];  T[1][i][j] = B[0][0][i][j];
      S[2][i][j] = A[0][0][i][j];                  T[2][i][j] = B[0][1][i][j] - B[1][1][i][j];
      S[3][i][j] = A[1][1][i][j];                  T[3][i][j] = B[1][0][i][j] - B[0][0][i][j];
      S[4][i][j] = A[0][0][i][j] + A[0][1][i][j];  T[4][i][j] = B[1][1][i][j];
      S[5][i][j] = A[1][0][i][j] - A[0][0][i][j];  T[5][i][j] = B[0][0][i][j] + B[0][1][i][j];
      S[6][i][j] = A[0][1][i][j] - A[1][1][i][j];  T[6][i][j] = B[1][0][i][j] + B[1][1][i][j];
    }
  for (int q = 0; q < 7; q++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        P[q][i][j] = 0;
        for (int k = 0; k < n; k++)
          P[q][i][j] += S[q][i][k] * T[q][k][j];
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[0][0][i][j] = P[0][i][j] + P[3][i][j] - P[4][i][j] + P[6][i][j];
      C[0][1][i][j] = P[2][i][j] + P[4][i][j];
      C[1][0][i][j] = P[1][i][j] + P[3][i][j];
      C[1][1][i][j] = P[0][i][j] - P[1][i][j] + P[2][i][j] + P[5][i][j];
    }
}
