// params n=64
// small n=3
// the four-index transformation, an index at a time
void transform(int n, double V[n][n][n][n], double C[n][n], double W[n][n][n][n])
{
  double T1[n][n][n][n], T2[n][n][n][n], T3[n][n][n][n];
  int a, b, c, d, p, q, r, s;
  for (a = 0; a < n; a++) for (q = 0; q < n; q++) for (r = 0; r < n; r++) for (s = 0; s < n; s++) {
    T1[a][q][r][s] = 0;
    for (p = 0; p < n; p++) T1[a][q][r][s] += C[p][a] * V[p][q][r][s];
  }
  for (a = 0; a < n; a++) for (b = 0; b < n; b++) for (r = 0; r < n; r++) for (s = 0; s < n; s++) {
    T2[a][b][r][s] = 0;
    for (q = 0; q < n; q++) T2[a][b][r][s] += C[q][b] * T1[a][q][r][s];
  }
  for (a = 0; a < n; a++) for (b = 0; b < n; b++) for (c = 0; c < n; c++) for (s = 0; s < n; s++) {
    T3[a][b][c][s] = 0;
    for (r = 0; r < n; r++) T3[a][b][c][s] += C[r][c] * T2[a][b][r][s];
  }
  for (a = 0; a < n; a++) for (b = 0; b < n; b++) for (c = 0; c < n; c++) for (d = 0; d < n; d++) {
    W[a][b][c][d] = 0;
    for (s = 0; s < n; s++) W[a][b][c][d] += C[s][d] * T3[a][b][c][s];
  }
}
