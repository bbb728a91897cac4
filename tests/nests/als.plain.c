// params I=100,J=100,K=100,R=16
// small I=2,J=2,K=2,R=2
// matricised tensor times Khatri-Rao product, and the Hadamard product of grams
void als(int I, int J, int K, int R, double X[I][J][K], double B[J][R], double C[K][R], double M[I][R], double V[R][R])
{
  double gb[R][R], gc[R][R];
  for (int i = 0; i < I; i++)
    for (int r = 0; r < R; r++) {
      M[i][r] = 0;
      for (int j = 0; j < J; j++)
        for (int k = 0; k < K; k++)
          M[i][r] += X[i][j][k] * B[j][r] * C[k][r];
    }
  for (int r = 0; r < R; r++)
    for (int s = 0; s < R; s++) {
      gb[r][s] = 0; gc[r][s] = 0;
      for (int j = 0; j < J; j++) gb[r][s] += B[j][r] * B[j][s];
      for (int k = 0; k < K; k++) gc[r][s] += C[k][r] * C[k][s];
      V[r][s] = gb[r][s] * gc[r][s];
    }
}
