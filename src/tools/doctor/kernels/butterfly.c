/* The same for OpenACC. */
void butterfly(int n, float *out, float *in) {
#pragma acc parallel loop copyin(in[0 : 2 * n]) copyout(out[0 : 2 * n])
  for (int i = 0; i < n; i++) {
    out[2 * i] = in[2 * i] + in[2 * i + 1];
    out[2 * i + 1] = in[2 * i] - in[2 * i + 1];
  }
}
int main(void) {
  static float out[200], in[200];
  butterfly(100, out, in);
  return (int)out[3];
}
