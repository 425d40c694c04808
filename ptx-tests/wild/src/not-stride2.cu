// Even and odd elements: no lane reads what another one reads.
// launch: pairs grid=2 block=128 args=f32[400],f32[200],200
extern "C" __global__ void pairs(const float *__restrict__ in,
                                 float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[2 * i] * in[2 * i + 1];
}
