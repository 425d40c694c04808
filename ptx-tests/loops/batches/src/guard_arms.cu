// ptxasw: remarks
// Two arms with arithmetic of their own, both of what was read in front of them. Its twin reads and stores in one of them what the next iteration reads.
// launch: guard_arms grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: guard_arms grid=2 block=16 args=f32[33],f32[32]:zero,33
// launch: guard_arms grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: guard_arms grid=2 block=16 args=f32[131],f32[32]:zero,131
// launch: guard_arms grid=2 block=16 args=f32[233],f32[32]:zero,233
// launch: guard_arms grid=2 block=16 args=f32[265],f32[32]:zero,265
// launch: guard_arms grid=2 block=16 args=f32[647],f32[32]:zero,647
// launch: guard_arms_not grid=2 block=16 args=f32[32],f32[32]:zero,0
// launch: guard_arms_not grid=2 block=16 args=f32[65],f32[32]:zero,33
// launch: guard_arms_not grid=2 block=16 args=f32[133],f32[32]:zero,101
// launch: guard_arms_not grid=2 block=16 args=f32[163],f32[32]:zero,131
// launch: guard_arms_not grid=2 block=16 args=f32[265],f32[32]:zero,233
// launch: guard_arms_not grid=2 block=16 args=f32[297],f32[32]:zero,265
// launch: guard_arms_not grid=2 block=16 args=f32[679],f32[32]:zero,647

extern "C" __global__ void guard_arms(const float *x, float *out, int n) {
  float low = 0, high = 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    if (value < 0) {
      low += value * value;
      low = sqrtf(fabsf(low + 0.5f * high));
    } else {
      high = high * value + low;
      high = sqrtf(fabsf(high));
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = low + high;
}

extern "C" __global__ void guard_arms_not(float *x, float *out, int n) {
  int step = gridDim.x * blockDim.x;
  float low = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float value = x[i];
    if (value < 0) {
      low += value * x[i + step];
      x[i + step] = low;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = low;
}
