// params L=4096,CI=64,CO=64
// small L=6,CI=2,CO=2
void conv1d(int L, int CI, int CO, float x[CI][L], float w[CO][CI][5], float b[CO], float y[CO][L])
{
  for (int o = 0; o < CO; o++)
    for (int t = 0; t < L; t++) {
      y[o][t] = b[o];
      for (int c = 0; c < CI; c++)
        for (int k = max(0, 2 - t); k < min(5, L + 2 - t); k++)
          y[o][t] += x[c][t+k-2] * w[o][c][k];
    }
}
