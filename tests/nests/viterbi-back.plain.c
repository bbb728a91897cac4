// params T=500,N=128
// small T=3,N=3
// the state that the best comes from is kept as well
void viterbi(int T, int N, float A[N][N], float B[T][N], float pi[N], float d[T][N], int back[T][N])
{
  for (int s = 0; s < N; s++) d[0][s] = pi[s] + B[0][s];
  for (int t = 1; t < T; t++)
    for (int s = 0; s < N; s++) {
      float best = d[t-1][0] + A[0][s];
      int arg = 0;
      for (int r = 1; r < N; r++) {
        arg = pick(best, d[t-1][r] + A[r][s], arg, r);
        best = fmaxf(best, d[t-1][r] + A[r][s]);
      }
      d[t][s] = best + B[t][s];
      back[t][s] = arg;
    }
}
