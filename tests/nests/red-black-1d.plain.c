// params n=100000,T=100
// small n=6,T=2
void rb(int n, int T, double u[2*n+2])
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i <= 2 * n; i += 2)
      u[i] = 0.5 * (u[i-1] + u[i+1]);
    for (int i = 2; i <= 2 * n; i += 2)
      u[i] = 0.5 * (u[i-1] + u[i+1]);
  }
}
