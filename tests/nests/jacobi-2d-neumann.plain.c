// params T=500,n=1000
// small T=4,n=8
/* zero flux: borders take the value of their neighbours in every step */
void heat(int T, int n, double A[n][n], double B[n][n])
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n-1; i++)
      for (int j = 1; j < n-1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
    for (int i = 0; i < n; i++) {
      B[i][0] = B[i][1];
      B[i][n-1] = B[i][n-2];
    }
    for (int j = 0; j < n; j++) {
      B[0][j] = B[1][j];
      B[n-1][j] = B[n-2][j];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] = B[i][j];
  }
}
