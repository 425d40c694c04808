// ptxasw: remarks
// Loads that leave the first cache alone, by a hint. Its twin's fetch again what is there, each of them (`.cv`).
// launch: hinted grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: hinted grid=2 block=16 args=f32[33],f32[32]:zero,33
// launch: hinted grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: hinted grid=2 block=16 args=f32[131],f32[32]:zero,131
// launch: hinted grid=2 block=16 args=f32[233],f32[32]:zero,233
// launch: hinted grid=2 block=16 args=f32[265],f32[32]:zero,265
// launch: hinted grid=2 block=16 args=f32[647],f32[32]:zero,647
// launch: hinted_not grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: hinted_not grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: hinted_not grid=2 block=16 args=f32[265],f32[32]:zero,265

extern "C" __global__ void hinted(const float *x, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value;
    asm("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(x + i)));
    sum += value;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void hinted_not(const float *x, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value;
    asm volatile("ld.global.cv.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(x + i)) : "memory");
    sum += value;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
