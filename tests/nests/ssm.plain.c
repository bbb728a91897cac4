// params T=4096,c=512,s=16
// small T=4,c=3,s=2
void ssm(int T, int c, int s, float x[T][c], float dt[T][c], float A[c][s], float B[T][s], float C[T][s],
         float D[c], float h[c][s], float y[T][c])
{
  for (int t = 0; t < T; t++)
    for (int j = 0; j < c; j++) {
      float acc = D[j] * x[t][j];
      for (int k = 0; k < s; k++) {
        h[j][k] = expf(dt[t][j] * A[j][k]) * h[j][k] + dt[t][j] * B[t][k] * x[t][j];
        acc += C[t][k] * h[j][k];
      }
      y[t][j] = acc;
    }
}
