// params n=1000,w=4000
// small n=4,w=9
// complete: weights are 1, 2, ..., so the table is affine
void knapsack(int n, int w, int v[n+1], int D[w+1])
{
  for (int i = 1; i <= n; i++)
    for (int c = w; c >= i; c--)
      D[c] = max(D[c], D[c - i] + v[i]);
}
