// params n=4000
// small n=9
void toeplitz(int n, double t[2*n-1], double x[n], double y[n])
{
  for (int i = 0; i < n; i++)
    for (int j = n - 1; j >= 0; j--)
      y[i] = (j == n - 1) ? t[i - j + n - 1] * x[j] : y[i] + t[i - j + n - 1] * x[j];
}
