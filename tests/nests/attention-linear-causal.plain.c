// params N=2048,D=64,E=64
// small N=3,D=2,E=2
// state is kept; gap 2.0 at M = 4K, which is the state
void la(int N, int D, int E, double q[N][D], double k[N][D], double v[N][E], double out[N][E])
{
  double S[D][E], z[D];
  for (int a = 0; a < D; a++) { z[a] = 0; for (int b = 0; b < E; b++) S[a][b] = 0; }
  for (int t = 0; t < N; t++) {
    for (int a = 0; a < D; a++) {
      z[a] += k[t][a];
      for (int b = 0; b < E; b++) S[a][b] += k[t][a] * v[t][b];
    }
    double den = 0;
    for (int a = 0; a < D; a++) den += q[t][a] * z[a];
    for (int b = 0; b < E; b++) {
      double num = 0;
      for (int a = 0; a < D; a++) num += q[t][a] * S[a][b];
      out[t][b] = num / den;
    }
  }
}
