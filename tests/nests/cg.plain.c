// params n=2000,T=20
// small n=6,T=3
void cg(int n, int T, double A[n][n], double x[n], double r[n], double p[n], double rr)
{
#pragma redblue output x
  double q[n];
  double old = 0;
  for (int i = 0; i < n; i++) old += r[i] * r[i];
  for (int t = 0; t < T; t++) {
    double pq = 0, new_ = 0;
    for (int i = 0; i < n; i++) {
      q[i] = 0;
      for (int j = 0; j < n; j++) q[i] += A[i][j] * p[j];
      pq += p[i] * q[i];
    }
    double alpha = old / pq;
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      new_ += r[i] * r[i];
    }
    double beta = new_ / old;
    for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
    old = new_;
  }
}
