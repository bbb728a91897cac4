// params n=4000
// small n=8
// autocorrelation to prediction coefficients, a[0] = 1, reflection coefficients k
void levinson(int n, double R[n+1], double a[n+1], double kk[n+1])
{
  double tmp[n+1];
  double E = R[0];
#pragma redblue output a
  a[0] = 1;
  for (int i = 1; i <= n; i++) {
    double acc = R[i];
    for (int j = 1; j < i; j++)
      acc += a[j] * R[i - j];
    kk[i] = -acc / E;
    for (int j = 1; j < i; j++)
      tmp[j] = a[j] + kk[i] * a[i - j];
    for (int j = 1; j < i; j++)
      a[j] = tmp[j];
    a[i] = kk[i];
    E *= 1 - kk[i] * kk[i];
  }
}
