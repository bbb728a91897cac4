// params n=2000
// small n=9
// each cell is written three times, by lengths
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int fold(int n, int seq[n], int N[n][n])
{
  for (int d = 1; d < n; d++)
    for (int i = 0; i + d < n; i++) {
      int j = i + d;
      N[i][j] = MAX(N[i + 1][j], N[i][j - 1]);
      N[i][j] = MAX(N[i][j], N[i + 1][j - 1] + (seq[i] + seq[j] == 3));
      for (int k = i + 1; k < j; k++)
        N[i][j] = MAX(N[i][j], N[i][k] + N[k + 1][j]);
    }
  return N[0][n - 1];
}
