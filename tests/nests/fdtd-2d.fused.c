// params tmax=250,nx=1000,ny=1000
// small tmax=3,nx=7,ny=8
void fdtd(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny], double fict[tmax])
{
#pragma scop
  for (int t = 0; t < tmax; t++) {
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++) {
        if (i == 0) ey[i][j] = fict[t];
        else ey[i][j] -= 0.5 * (hz[i][j] - hz[i-1][j]);
        if (j > 0) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j-1]);
      }
    for (int i = 0; i <= nx - 2; i++)
      for (int j = 0; j <= ny - 2; j++)
        hz[i][j] -= 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
  }
#pragma endscop
}
