// params T=200,n=2000
// small T=4,n=7
void periodic(int T, int n, double A[n+2], double B[n+2])
{
  for (int t = 0; t < T; t++) {
    A[0] = A[n];
    A[n+1] = A[1];
    for (int i = 1; i <= n; i++) B[i] = (A[i-1] + A[i] + A[i+1]) / 3;
    for (int i = 1; i <= n; i++) A[i] = B[i];
  }
}
