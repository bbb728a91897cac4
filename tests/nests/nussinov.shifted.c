// params n=2000
// small n=9
#define MAX(a,b) ((a) > (b) ? (a) : (b))
void nussinov(int n, char seq[n], int t[n][n])
{
  int m;
#pragma scop
  for (int r = 0; r < n; r++) {
    for (int j = n - r; j < n; j++) {
      m = MAX(t[n-1-r][j], t[n-1-r][j-1]);
      m = MAX(m, t[n-r][j]);
      m = MAX(m, t[n-r][j-1] + (n - 1 - r < j - 1 ? match(seq[n-1-r], seq[j]) : 0));
      for (int k = n - r; k < j; k++)
        m = MAX(m, t[n-1-r][k] + t[k+1][j]);
      t[n-1-r][j] = m;
    }
  }
#pragma endscop
}
