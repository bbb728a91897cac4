// params n=4000,m=4000
// small n=5,m=6
void lcs(int n, int m, int a[n+1], int b[m+1], int L[n+1][m+1])
{
#pragma redblue output L
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      if (i == 0 || j == 0)
        L[i][j] = 0;
      else
        L[i][j] = a[i] == b[j] ? L[i-1][j-1] + 1 : max(L[i-1][j], L[i][j-1]);
}
