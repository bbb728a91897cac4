// params i=256,j=256,k=256,r=64
// small i=3,j=4,k=2,r=3
void mttkrp(int i, int j, int k, int r, float X[i][j][k], float B[j][r], float C[k][r], float A[i][r])
{
  for (int a = 0; a < i; a++)
    for (int x = 0; x < r; x++) A[a][x] = 0;
  for (int a = 0; a < i; a++)
    for (int b = 0; b < j; b++) {
      float t[r];
      for (int x = 0; x < r; x++) t[x] = 0;
      for (int c = 0; c < k; c++)
        for (int x = 0; x < r; x++)
          t[x] += X[a][b][c] * C[c][x];
      for (int x = 0; x < r; x++)
        A[a][x] += t[x] * B[b][x];
    }
}
