// params B=2,T=512,C=512,NH=8
// small B=1,T=5,C=4,NH=2
void attention_forward(float* out, float* preatt, float* att, float* inp, int B, int T, int C, int NH)
{
  int C3 = C*3;
  int hs = C / NH;
  float scale = 1.0 / sqrtf(hs);
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < NH; h++) {
        float* query_t = inp + b * T * C3 + t * C3 + h * hs;
        float* preatt_bth = preatt + b*NH*T*T + h*T*T + t*T;
        float* att_bth = att + b*NH*T*T + h*T*T + t*T;
        float maxval = -10000.0f;
        for (int t2 = 0; t2 <= t; t2++) {
          float* key_t2 = inp + b * T * C3 + t2 * C3 + h * hs + C;
          float val = 0.0f;
          for (int i = 0; i < hs; i++) val += query_t[i] * key_t2[i];
          val *= scale;
          if (val > maxval) maxval = val;
          preatt_bth[t2] = val;
        }
        float expsum = 0.0f;
        for (int t2 = 0; t2 <= t; t2++) {
          float expv = expf(preatt_bth[t2] - maxval);
          expsum += expv;
          att_bth[t2] = expv;
        }
        float expsum_inv = expsum == 0.0f ? 0.0f : 1.0f / expsum;
        for (int t2 = 0; t2 < T; t2++) {
          if (t2 <= t) att_bth[t2] *= expsum_inv;
          else att_bth[t2] = 0.0f;
        }
        float* out_bth = out + b * T * C + t * C + h * hs;
        for (int i = 0; i < hs; i++) out_bth[i] = 0.0f;
        for (int t2 = 0; t2 <= t; t2++) {
          float* value_t2 = inp + b * T * C3 + t2 * C3 + h * hs + C*2;
          float att_btht2 = att_bth[t2];
          for (int i = 0; i < hs; i++) out_bth[i] += att_btht2 * value_t2[i];
        }
      }
}
