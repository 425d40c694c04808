// ptxasw: remarks
// The largest absolute value, for a scale, found by a grid's stride; a thread has its place in an array. Its twin's index of the largest comes from a
// warp's active lanes.
// launch: largest grid=2 block=16 args=f32[1],f32[32]:zero,u32[32]:zero,0
// launch: largest grid=2 block=16 args=f32[33],f32[32]:zero,u32[32]:zero,33
// launch: largest grid=2 block=16 args=f32[101],f32[32]:zero,u32[32]:zero,101
// launch: largest grid=2 block=16 args=f32[131],f32[32]:zero,u32[32]:zero,131
// launch: largest grid=2 block=16 args=f32[233],f32[32]:zero,u32[32]:zero,233
// launch: largest grid=2 block=16 args=f32[265],f32[32]:zero,u32[32]:zero,265
// launch: largest grid=2 block=16 args=f32[647],f32[32]:zero,u32[32]:zero,647
// launch: largest_not grid=1 block=32 args=f32[1],u32[32]:zero,0
// launch: largest_not grid=1 block=32 args=f32[101],u32[32]:zero,101
// launch: largest_not grid=1 block=32 args=f32[265],u32[32]:zero,265

extern "C" __global__ void largest(const float *x, float *out, int *where, int n) {
  float best = -1.0f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = fabsf(x[i]);
    if (value > best) {
      best = value;
      at = i;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = best;
  where[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

extern "C" __global__ void largest_not(const float *x, unsigned *out, int n) {
  unsigned lanes = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    lanes += x[i] > 0.0f ? __activemask() : 1;
  out[threadIdx.x] = lanes & 0;
}
