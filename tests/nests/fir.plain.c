// params n=100000,k=64
// small n=9,k=3
void fir(int n, int k, float x[n], float h[k], float y[n])
{
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < k && j <= i; j++)
      y[i] += h[j] * x[i - j];
  }
}
