// params steps=500,n=1000
// small steps=6,n=8
void jacobi(int steps, int n, double *A, double *B)
{
  double *now = A, *next = B;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i*n + j] = 0.2 * (now[i*n + j] + now[i*n + j-1] + now[i*n + j+1] + now[(i+1)*n + j] + now[(i-1)*n + j]);
    double *then = now;
    now = next;
    next = then;
  }
}
