// params m=2000,n=2000
// small m=7,n=8
// the two halves of an update are two statements
void syr2k(int n, int m, float A[n][m], float B[n][m], float C[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      float c = C[i][j];
      for (int k = 0; k < m; k++) {
        c += A[i][k] * B[j][k];
        c += B[i][k] * A[j][k];
      }
      C[i][j] = c;
    }
}
