// params n=2000
// small n=4
void f(int n, double x[7*n], double s[n])
{
  for (int i = 0; i < n; i++) {
    s[i] = 0;
    for (int j = i * 7; j < i * 7 + 7; j++)
      s[i] += x[j];
  }
}
