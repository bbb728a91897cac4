// params tsteps=250,n=1000
// small tsteps=3,n=8
void seidel(int tsteps, int n, double A[n][n])
{
#pragma scop
  for (int t = 0; t < tsteps; t++)
    for (int i = 0; i < n - 2; i++)
      for (int j = 0; j < n - 2; j++)
        A[i+1][j+1] = (A[i][j] + A[i][j+1] + A[i][j+2] + A[i+1][j] + A[i+1][j+1] + A[i+1][j+2] +
                        A[i+2][j] + A[i+2][j+1] + A[i+2][j+2]) / 9.0;
#pragma endscop
}
