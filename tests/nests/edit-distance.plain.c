// params n=2000,m=2000
// small n=6,m=5
#define MIN3(a,b,c) ((a) < (b) ? ((a) < (c) ? (a) : (c)) : ((b) < (c) ? (b) : (c)))
int edit(int n, int m, char *s, char *t)
{
  int D[n+1][m+1];
  for (int i = 0; i <= n; i++) D[i][0] = i;
  for (int j = 0; j <= m; j++) D[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int cost = s[i-1] == t[j-1] ? 0 : 1;
      D[i][j] = MIN3(D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + cost);
    }
  return D[n][m];
}
