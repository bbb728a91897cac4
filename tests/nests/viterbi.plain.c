// params T=1000,S=128
// small T=4,S=3
void viterbi(int T, int S, double A[S][S], double E[T][S], double p0[S], double V[T][S])
{
#pragma redblue output V
  for (int s = 0; s < S; s++)
    V[0][s] = p0[s] + E[0][s];
  for (int t = 1; t < T; t++)
    for (int s = 0; s < S; s++) {
      double best = V[t-1][0] + A[0][s];
      for (int r = 1; r < S; r++)
        if (V[t-1][r] + A[r][s] > best)
          best = V[t-1][r] + A[r][s];
      V[t][s] = best + E[t][s];
    }
}
