// params n=11
// small n=3
// one stage of a transform of 2^12 lanes, halves apart
void stage(int n, double x[2][2048], double w[2048], double y[2][2048])
{
  for (int i = 0; i < 2048; i++) {
    y[0][i] = x[0][i] + w[i] * x[1][i];
    y[1][i] = x[0][i] - w[i] * x[1][i];
  }
}
