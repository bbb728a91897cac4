// params L=4096,CI=64,CO=64
// small L=6,CI=2,CO=2
// padding by a guard on a named place, an accumulator that begins with the bias
#define K 5
#define P 2
void conv1d(int L, int CI, int CO, float x[CI][L], float w[CO][CI][K], float b[CO], float y[CO][L])
{
  for (int o = 0; o < CO; o++)
    for (int t = 0; t < L; t++) {
      float acc = b[o];
      for (int c = 0; c < CI; c++)
        for (int k = 0; k < K; k++) {
          int s = t + k - P;
          if (s >= 0 && s < L)
            acc += x[c][s] * w[o][c][k];
        }
      y[o][t] = acc;
    }
}
