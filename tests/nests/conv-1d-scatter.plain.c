// params n=4000,k=64
// small n=9,k=3
// scattered: a place adds up over several loops
void scatter(int n, int k, double x[n], double w[k], double y[n+k-1])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++)
      y[i + j] += x[i] * w[j];
}
