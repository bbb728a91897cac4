// params N=2000
// small N=7
// row by row, the temporary is a row only
#define N 2000
double A[N][N], B[N][N], C[N][N], D[N][N];
void two(double alpha, double beta)
{
  double row[N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      row[j] = 0;
      for (int k = 0; k < N; k++)
        row[j] += alpha * A[i][k] * B[k][j];
    }
    for (int l = 0; l < N; l++) {
      double d = beta * D[i][l];
      for (int j = 0; j < N; j++)
        d += row[j] * C[j][l];
      D[i][l] = d;
    }
  }
}
