// params t=2048,d=2048
// small t=4,d=6
void layernorm(int t, int d, float x[t][d], float g[d], float b[d], float y[t][d])
{
  for (int i = 0; i < t; i++) {
    float mean = 0, var = 0;
    for (int j = 0; j < d; j++)
      mean += x[i][j];
    mean /= d;
    for (int j = 0; j < d; j++) {
      float c = x[i][j] - mean;
      var += c * c;
    }
    float r = 1.0f / sqrtf(var / d + 1e-5f);
    for (int j = 0; j < d; j++)
      y[i][j] = (x[i][j] - mean) * r * g[j] + b[j];
  }
}
