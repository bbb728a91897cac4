// params n=4000
// small n=8
void durbin(int n, double r[n], double out[n])
{
  double y[n][n], sum[n][n], beta[n], alpha[n];
  y[0][0] = -r[0];
  beta[0] = 1;
  alpha[0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta[k] = beta[k-1] - alpha[k-1] * alpha[k-1] * beta[k-1];
    sum[0][k] = r[k];
    for (int i = 0; i <= k - 1; i++)
      sum[i+1][k] = sum[i][k] + r[k-i-1] * y[i][k-1];
    alpha[k] = -sum[k][k] / beta[k];
    for (int i = 0; i <= k - 1; i++)
      y[i][k] = y[i][k-1] + alpha[k] * y[k-i-1][k-1];
    y[k][k] = alpha[k];
  }
  for (int i = 0; i <= n - 1; i++)
    out[i] = y[i][n-1];
}
