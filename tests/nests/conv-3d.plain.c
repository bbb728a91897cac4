// params c=16,f=16,t=16,h=28,w=28
// small c=2,f=2,t=2,h=2,w=3
void conv3d(int c, int f, int t, int h, int w, float x[c][t+2][h+2][w+2], float k[f][c][3][3][3], float y[f][t][h][w])
{
  for (int o = 0; o < f; o++)
    for (int q = 0; q < t; q++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
          float s = 0;
          for (int z = 0; z < c; z++)
            for (int a = 0; a < 3; a++)
              for (int b = 0; b < 3; b++)
                for (int e = 0; e < 3; e++)
                  s += x[z][q+a][i+b][j+e] * k[o][z][a][b][e];
          y[o][q][i][j] = s;
        }
}
