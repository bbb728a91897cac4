// params n=4000
// small n=8
void durbin(int n, double r[n], double y[2][n])
{
  double alpha = -r[0], beta = 1;
  y[0][0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double s = r[k];
    for (int i = 0; i < k; i++)
      s += r[k - i - 1] * y[(k - 1) % 2][i];
    alpha = -s / beta;
    for (int i = 0; i < k; i++)
      y[k % 2][i] = y[(k - 1) % 2][i] + alpha * y[(k - 1) % 2][k - i - 1];
    y[k % 2][k] = alpha;
  }
}
