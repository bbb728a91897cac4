// params n=2000,m=2000
// small n=4,m=3
// the best of all cells goes along, row by row
int smith_waterman(int n, int m, int a[n], int b[m], int H[n+1][m+1])
{
  int best = 0;
  for (int i = 0; i <= n; i++) H[i][0] = 0;
  for (int j = 0; j <= m; j++) H[0][j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int s = max(0, H[i-1][j-1] + score(a[i-1], b[j-1]));
      s = max(s, max(H[i-1][j], H[i][j-1]) - 1);
      H[i][j] = s;
      best = max(best, s);
    }
  return best;
}
