// params n=2000,m=20000
// small n=6,m=5
int edit(int n, int m, const char s[n], const char t[m])
{
  int prev[m+1], cur[m+1];
  for (int j = 0; j <= m; j++) prev[j] = j;
  for (int i = 0; i < n; i++) {
    cur[0] = i + 1;
    for (int j = 0; j < m; j++) {
      int del = prev[j+1] + 1, ins = cur[j] + 1, sub = prev[j] + (s[i] != t[j]);
      int best = del < ins ? del : ins;
      cur[j+1] = best < sub ? best : sub;
    }
    for (int j = 0; j <= m; j++) prev[j] = cur[j];
  }
  return prev[m];
}
