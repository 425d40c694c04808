// ptxasw: remarks
// Adds up what is positive, a value's weight is read in any case. Its twin reads the weight only then.
// launch: guard_value grid=2 block=16 args=f32[1],f32[1],f32[32]:zero,0
// launch: guard_value grid=2 block=16 args=f32[33],f32[33],f32[32]:zero,33
// launch: guard_value grid=2 block=16 args=f32[101],f32[101],f32[32]:zero,101
// launch: guard_value grid=2 block=16 args=f32[131],f32[131],f32[32]:zero,131
// launch: guard_value grid=2 block=16 args=f32[233],f32[233],f32[32]:zero,233
// launch: guard_value grid=2 block=16 args=f32[265],f32[265],f32[32]:zero,265
// launch: guard_value grid=2 block=16 args=f32[647],f32[647],f32[32]:zero,647
// launch: guard_value_not grid=2 block=16 args=f32[1],f32[1],f32[32]:zero,0
// launch: guard_value_not grid=2 block=16 args=f32[33],f32[33],f32[32]:zero,33
// launch: guard_value_not grid=2 block=16 args=f32[101],f32[101],f32[32]:zero,101
// launch: guard_value_not grid=2 block=16 args=f32[131],f32[131],f32[32]:zero,131
// launch: guard_value_not grid=2 block=16 args=f32[233],f32[233],f32[32]:zero,233
// launch: guard_value_not grid=2 block=16 args=f32[265],f32[265],f32[32]:zero,265
// launch: guard_value_not grid=2 block=16 args=f32[647],f32[647],f32[32]:zero,647

extern "C" __global__ void guard_value(const float *x, const float *w, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i], weight = w[i];
    if (value > 0)
      sum += value * weight;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void guard_value_not(const float *x, const float *w, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    if (value > 0)
      sum += value * w[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
