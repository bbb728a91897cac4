// params N=65536,B=256
// small N=12,B=4
// how many blocks there are is a quotient of parameters; all in one array of rows
#define N 65536
#define B 256
void scan(double x[N], double y[N], double s[N / B])
{
  for (int b = 0; b < N/B; b++) {
    y[b*B] = x[b*B];
    for (int i = 1; i < B; i++)
      y[b*B+i] = y[b*B+i-1] + x[b*B+i];
    s[b] = y[b*B+B-1];
  }
  for (int b = 1; b < N/B; b++)
    s[b] += s[b-1];
  for (int b = 1; b < N/B; b++)
    for (int i = 0; i < B; i++)
      y[b*B+i] += s[b-1];
}
