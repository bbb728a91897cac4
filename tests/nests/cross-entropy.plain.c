// params B=256,D=128,V=2000
// small B=2,D=2,V=3
// logits, softmax, cross entropy and its gradient by the logits
void head(int B, int D, int V, float x[B][D], float W[V][D], int y[B], float t[B][V], float loss[B], float g[B][V])
{
  float z[B][V];
  for (int b = 0; b < B; b++)
    for (int v = 0; v < V; v++) {
      z[b][v] = 0;
      for (int d = 0; d < D; d++)
        z[b][v] += x[b][d] * W[v][d];
    }
  for (int b = 0; b < B; b++) {
    float m = -FLT_MAX, s = 0;
    for (int v = 0; v < V; v++) m = fmaxf(m, z[b][v]);
    for (int v = 0; v < V; v++) s += expf(z[b][v] - m);
    loss[b] = 0;
    for (int v = 0; v < V; v++) {
      g[b][v] = expf(z[b][v] - m) / s - t[b][v];
      loss[b] -= t[b][v] * (z[b][v] - m - logf(s));
    }
  }
}
