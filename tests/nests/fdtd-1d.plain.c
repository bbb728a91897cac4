// params n=100000,T=2000
// small n=8,T=4
void fdtd(int n, int T, double e[n+1], double h[n])
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n; i++)
      e[i] = e[i] - 0.5 * (h[i] - h[i-1]);
    for (int i = 0; i < n; i++)
      h[i] = h[i] - 0.7 * (e[i+1] - e[i]);
  }
}
