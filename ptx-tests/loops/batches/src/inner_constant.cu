// ptxasw: remarks
// A hundred and one bins in an inner loop: too many to be unrolled in full, and no multiple of anything. Its twin runs until a loaded value ends it.
// launch: inner_constant grid=2 block=16 args=f32[1],f32[102],f32[32]:zero,0
// launch: inner_constant grid=2 block=16 args=f32[33],f32[102],f32[32]:zero,33
// launch: inner_constant grid=2 block=16 args=f32[101],f32[102],f32[32]:zero,101
// launch: inner_constant_not grid=2 block=16 args=f32[1],f32[8]:value=4,f32[32]:zero,0
// launch: inner_constant_not grid=2 block=16 args=f32[33],f32[8]:value=4,f32[32]:zero,33
// launch: inner_constant_not grid=2 block=16 args=f32[101],f32[8]:value=4,f32[32]:zero,101

extern "C" __global__ void inner_constant(const float *x, const float *bins, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    for (int k = 0; k < 101; ++k)
      sum = sqrtf(fabsf(sum * bins[k] + value)) / (1.0f + fabsf(bins[k + 1] - sum));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void inner_constant_not(const float *x, const float *bins, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    int k = 0;
    while (bins[k] < value)
      k += 7;
    sum += k;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
