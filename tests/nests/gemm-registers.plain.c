// params n=2000
// small n=4
// two by two results in scalars: four products that share rows, gap 1.53 (n=300, M = 1K)
/* register blocking 2 x 2 */
void k(int n, double A[n][n], double B[n][n], double C[n][n])
{
  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < n; j += 2) {
      double c00 = 0, c01 = 0, c10 = 0, c11 = 0;
      for (int k = 0; k < n; k++) {
        double a0 = A[i][k], a1 = A[i+1][k], b0 = B[k][j], b1 = B[k][j+1];
        c00 += a0 * b0; c01 += a0 * b1;
        c10 += a1 * b0; c11 += a1 * b1;
      }
      C[i][j] = c00; C[i][j+1] = c01;
      C[i+1][j] = c10; C[i+1][j+1] = c11;
    }
}
