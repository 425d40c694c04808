/* The same for OpenACC. */
void stencil(int n, float *restrict out, float *restrict in) {
#pragma acc parallel loop copyin(in[0 : n]) copyout(out[0 : n])
  for (int i = 1; i < n - 1; i++) out[i] = in[i - 1] + in[i] + in[i + 1];
}
int main(void) {
  static float out[100], in[100];
  stencil(100, out, in);
  return (int)out[3];
}
