// params tsteps=250,n=1000
// small tsteps=3,n=8
void seidel(int tsteps, int n, double A[n][n])
{
  for (int t = 0; t < tsteps; t++)
    for (int i = n - 2; i >= 1; i--)
      for (int j = n - 2; j >= 1; j--)
        A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j] + A[i][j+1] +
                        A[i+1][j-1] + A[i+1][j] + A[i+1][j+1]) / 9.0;
}
