// ptxasw: remarks
// llvm: yes
// Stores where a mask says so. Its twin counts the others by an atomic operation, which is rare.
// launch: guard_store grid=2 block=16 args=u32[1]%2,f32[1],f32[1]:zero,0
// launch: guard_store grid=2 block=16 args=u32[33]%2,f32[33],f32[33]:zero,33
// launch: guard_store grid=2 block=16 args=u32[101]%2,f32[101],f32[101]:zero,101
// launch: guard_store grid=2 block=16 args=u32[131]%2,f32[131],f32[131]:zero,131
// launch: guard_store grid=2 block=16 args=u32[233]%2,f32[233],f32[233]:zero,233
// launch: guard_store grid=2 block=16 args=u32[265]%2,f32[265],f32[265]:zero,265
// launch: guard_store grid=2 block=16 args=u32[647]%2,f32[647],f32[647]:zero,647
// launch: guard_store grid=1 block=32 args=u32[265]%2,f32[300],same1@32,265
// launch: guard_store_not grid=2 block=16 args=u32[1]%9,f32[1],f32[1]:zero,u32[1]:zero,0
// launch: guard_store_not grid=2 block=16 args=u32[101]%9,f32[101],f32[101]:zero,u32[1]:zero,101
// launch: guard_store_not grid=2 block=16 args=u32[265]%9,f32[265],f32[265]:zero,u32[1]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void guard_store(const int *RESTRICT mask, const float *RESTRICT x, float *RESTRICT y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    if (mask[i])
      y[i] = sqrtf(fabsf(value));
  }
}

extern "C" __global__ void guard_store_not(const int *RESTRICT mask, const float *RESTRICT x, float *RESTRICT y, int *RESTRICT others, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    if (mask[i])
      y[i] = sqrtf(fabsf(value));
    else
      atomicAdd(others, 1);
  }
}
