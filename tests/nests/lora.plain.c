// params n=2048,d=2048,o=2048,r=16
// small n=4,d=5,o=3,r=2
void lora(int n, int d, int o, int r, float alpha, float X[n][d], float W[d][o], float A[d][r], float B[r][o],
      float Y[n][o])
{
  float T[n][r];
  for (int i = 0; i < n; i++) {
    for (int p = 0; p < r; p++) {
      T[i][p] = 0;
      for (int k = 0; k < d; k++)
        T[i][p] += X[i][k] * A[k][p];
    }
    for (int j = 0; j < o; j++) {
      float s = 0;
      for (int k = 0; k < d; k++)
        s += X[i][k] * W[k][j];
      for (int p = 0; p < r; p++)
        s += alpha * T[i][p] * B[p][j];
      Y[i][j] = s;
    }
  }
}
