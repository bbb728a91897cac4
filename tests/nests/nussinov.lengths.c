// params n=2000
// small n=9
// by lengths, a local maximum
void fold(int n, int s[n], int T[n][n])
{
  for (int d = 1; d < n; d++)
    for (int i = 0; i + d < n; i++) {
      int best = max(T[i][i+d], T[i][i+d-1]);
      best = max(best, T[i+1][i+d]);
      if (d > 1)
        best = max(best, T[i+1][i+d-1] + pairs(s[i], s[i+d]));
      else
        best = max(best, T[i+1][i+d-1]);
      for (int k = i + 1; k < i + d; k++)
        best = max(best, T[i][k] + T[k+1][i+d]);
      T[i][i+d] = best;
    }
}
