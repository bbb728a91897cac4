// params n=2000
// small n=9
void mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n], double A[n][n])
{
  int i, j;
  for (j = 0; j < n; j++)
    for (i = 0; i < n; i++)
      x1[i] += A[i][j] * y1[j];
  for (j = 0; j < n; j++)
    for (i = 0; i < n; i++)
      x2[i] += A[j][i] * y2[j];
}
