// params n=4000,m=4000
// small n=5,m=6
void lcs(int n, int m, int a[n], int b[m], int out[1])
{
  int L[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      L[i][j] = best(i > 0 && j > 0 ? L[i-1][j-1] : 0, i > 0 ? L[i-1][j] : 0, j > 0 ? L[i][j-1] : 0, a[i], b[j]);
  out[0] = L[n-1][m-1];
}
