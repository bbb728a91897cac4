// params c=64,n=64
// small c=2,n=2
void pyramid(int c, int n, float x[c][8*n][8*n], float p1[c][4*n][4*n], float p2[c][2*n][2*n], float p3[c][n][n])
{
  for (int s = 0; s < c; s++) {
    for (int i = 0; i < 4*n; i++)
      for (int j = 0; j < 4*n; j++)
        p1[s][i][j] = fmaxf(fmaxf(x[s][2*i][2*j], x[s][2*i][2*j+1]), fmaxf(x[s][2*i+1][2*j], x[s][2*i+1][2*j+1]));
    for (int i = 0; i < 2*n; i++)
      for (int j = 0; j < 2*n; j++)
        p2[s][i][j] = fmaxf(fmaxf(p1[s][2*i][2*j], p1[s][2*i][2*j+1]), fmaxf(p1[s][2*i+1][2*j], p1[s][2*i+1][2*j+1]));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p3[s][i][j] = fmaxf(fmaxf(p2[s][2*i][2*j], p2[s][2*i][2*j+1]), fmaxf(p2[s][2*i+1][2*j], p2[s][2*i+1][2*j+1]));
  }
}
