// params n=4000,m=4000
// small n=5,m=6
// edit distance with affine gaps: three tables
void gotoh(int n, int m, float open, float ext, float s[n][m], float out[1])
{
  float H[n+1][m+1], E[n+1][m+1], F[n+1][m+1];
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      E[i][j] = fmax(E[i][j-1] - ext, H[i][j-1] - open);
      F[i][j] = fmax(F[i-1][j] - ext, H[i-1][j] - open);
      H[i][j] = fmax(H[i-1][j-1] + s[i-1][j-1], fmax(E[i][j], F[i][j]));
    }
  out[0] = H[n][m];
}
