// params m=1024,n=1024,g=32
// small m=3,n=2,g=2
// int8 product with a scale for each 32 columns of weights
void q(int m, int n, int g, signed char A[m][32*g], signed char B[n][32*g], float sa[m], float sb[n][g], float C[m][n])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float acc = 0;
      for (int q = 0; q < g; q++) {
        int s = 0;
        for (int k = 0; k < 32; k++)
          s += A[i][32*q+k] * B[j][32*q+k];
        acc += s * sb[j][q];
      }
      C[i][j] = acc * sa[i];
    }
}
