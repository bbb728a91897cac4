// params n=1000
// small n=14
// two levels of a V-cycle in one dimension of each: smooth, restrict, smooth, prolong, smooth
void vcycle(int n, double u[2*n+1], double f[2*n+1], double out[2*n+1])
{
  double v[2*n+1], r[2*n+1], c[n+1], e[n+1], w[2*n+1];
  for (int i = 1; i < 2 * n; i++)
    v[i] = 0.5 * (u[i-1] + u[i+1] + f[i]);
  for (int i = 2; i < 2 * n - 1; i++)
    r[i] = f[i] - 2 * v[i] + v[i-1] + v[i+1];
  for (int i = 2; i < n - 1; i++)
    c[i] = 0.25 * (r[2*i-1] + 2 * r[2*i] + r[2*i+1]);
  for (int i = 3; i < n - 2; i++)
    e[i] = 0.5 * (c[i-1] + c[i+1]);
  for (int i = 4; i < n - 3; i++) {
    w[2*i] = v[2*i] + e[i];
    w[2*i+1] = v[2*i+1] + 0.5 * (e[i] + e[i+1]);
  }
  for (int i = 9; i < 2 * n - 8; i++)
    out[i] = 0.5 * (w[i-1] + w[i+1] + f[i]);
}
