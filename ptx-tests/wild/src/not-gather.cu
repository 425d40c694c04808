// Indices from memory.
// launch: gather grid=2 block=128 args=u32[200]%200,f32[200],f32[200],200
extern "C" __global__ void gather(const int *__restrict__ index,
                                  const float *__restrict__ in,
                                  float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[index[i]];
}
