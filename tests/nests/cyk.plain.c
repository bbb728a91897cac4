// params n=400,g=16
// small n=4,g=2
void cyk(int n, int g, float rule[g][g][g], float T[n][n][g])
{
  for (int d = 1; d < n; d++)
    for (int i = 0; i < n - d; i++)
      for (int a = 0; a < g; a++) {
        float s = 0;
        for (int k = i; k < i + d; k++)
          for (int b = 0; b < g; b++)
            for (int c = 0; c < g; c++)
              s += T[i][k][b] * T[k+1][i+d][c] * rule[a][b][c];
        T[i][i+d][a] = s;
      }
}
