// params N=16,K=64,C=64,P=56,Q=56,R=3,S=3,stride=2
// small N=2,K=3,C=2,P=4,Q=5,R=3,S=3,stride=2
// everything is a parameter, indices in integers of their own
void conv2d(int N, int K, int C, int P, int Q, int R, int S, int stride, float *in, float *w, float *bias, float *out)
{
  int H = stride * P + 1, W = stride * Q + 1;
  for (int n = 0; n < N; n++)
    for (int k = 0; k < K; k++)
      for (int p = 0; p < P; p++)
        for (int q = 0; q < Q; q++) {
          float sum = bias[k];
          for (int c = 0; c < C; c++)
            for (int r = 0; r < R; r++)
              for (int s = 0; s < S; s++) {
                int ih = p * stride + r;
                int iw = q * stride + s;
                sum += in[((n * C + c) * H + ih) * W + iw] * w[((k * C + c) * R + r) * S + s];
              }
          out[((n * K + k) * P + p) * Q + q] = sum;
        }
}
