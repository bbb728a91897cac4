// params n=16,f=64,c=64,oh=56,ow=56
// small n=2,f=3,c=2,oh=4,ow=5
void conv(int n, int f, int c, int oh, int ow, float X[n][c][2*oh+1][2*ow+1], float W[f][c][3][3], float B[f],
      float Y[n][f][oh][ow])
{
  for (int b = 0; b < n; b++)
    for (int o = 0; o < f; o++)
      for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
          float acc = B[o];
          for (int s = 0; s < c; s++)
            for (int ky = 0; ky < 3; ky++)
              for (int kx = 0; kx < 3; kx++)
                acc += X[b][s][2*y+ky][2*x+kx] * W[o][s][ky][kx];
          Y[b][o][y][x] = acc;
        }
}
