// params n=512,d=512,v=8192
// small n=3,d=2,v=5
// logits of a big vocabulary, and the loss of each token
void xent(int n, int d, int v, float h[n][d], float W[v][d], float bias[v], float logit[n][v], float m[n], float l[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < v; j++) {
      float s = bias[j];
      for (int k = 0; k < d; k++) s += h[i][k] * W[j][k];
      logit[i][j] = s;
    }
  for (int i = 0; i < n; i++) {
    float top = -1e30f;
    for (int j = 0; j < v; j++) top = fmaxf(top, logit[i][j]);
    m[i] = top;
    float s = 0;
    for (int j = 0; j < v; j++) s += expf(logit[i][j] - top);
    l[i] = logf(s) + top;
  }
}
