// A 1-D stencil with line information; the second kernel inlines a function.
// nvcc: -lineinfo
// launch: row grid=2 block=128 args=f32[200],f32[200],200
// launch: inlined grid=2 block=128 args=f32[200],f32[200],200
__device__ __forceinline__ float three(const float *row, int i) {
  return row[i - 1] + 2.0f * row[i] + row[i + 1];
}

extern "C" __global__ void row(const float *__restrict__ in,
                               float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2)
    return;
  out[i] = in[i - 2] + in[i - 1] +
           in[i] +
           in[i + 1] + in[i + 2];
}

extern "C" __global__ void inlined(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = three(in, i);
}
