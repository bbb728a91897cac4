// params t=2048,h=32,d=64
// small t=4,h=3,d=2
// rotary embedding: pairs of features turn by an angle of the place
void rope(int t, int h, int d, float q[t][h][2*d], float c[t][d], float s[t][d], float o[t][h][2*d])
{
  for (int i = 0; i < t; i++)
    for (int k = 0; k < h; k++)
      for (int j = 0; j < d; j++) {
        float a = q[i][k][2*j], b = q[i][k][2*j+1];
        o[i][k][2*j] = a * c[i][j] - b * s[i][j];
        o[i][k][2*j+1] = a * s[i][j] + b * c[i][j];
      }
}
