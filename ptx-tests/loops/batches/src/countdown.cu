// ptxasw: remarks
// A counter goes down to zero, the index up. Its twin doubles its step.
// launch: countdown grid=2 block=16 args=f32[1],f32[1]:zero,0
// launch: countdown grid=2 block=16 args=f32[32],f32[32]:zero,1
// launch: countdown grid=2 block=16 args=f32[96],f32[96]:zero,3
// launch: countdown grid=2 block=16 args=f32[128],f32[128]:zero,4
// launch: countdown grid=2 block=16 args=f32[160],f32[160]:zero,5
// launch: countdown grid=2 block=16 args=f32[224],f32[224]:zero,7
// launch: countdown grid=2 block=16 args=f32[256],f32[256]:zero,8
// launch: countdown grid=2 block=16 args=f32[288],f32[288]:zero,9
// launch: countdown grid=2 block=16 args=f32[672],f32[672]:zero,21
// launch: countdown grid=1 block=32 args=f32[400],same0@32,9
// launch: countdown_not grid=2 block=16 args=f32[1],f32[1]:zero,0
// launch: countdown_not grid=2 block=16 args=f32[33],f32[33]:zero,33
// launch: countdown_not grid=2 block=16 args=f32[101],f32[101]:zero,101
// launch: countdown_not grid=2 block=16 args=f32[131],f32[131]:zero,131
// launch: countdown_not grid=2 block=16 args=f32[233],f32[233]:zero,233
// launch: countdown_not grid=2 block=16 args=f32[265],f32[265]:zero,265
// launch: countdown_not grid=2 block=16 args=f32[647],f32[647]:zero,647
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void countdown(const float *RESTRICT x, float *RESTRICT y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x, left = n;
  while (left-- > 0) {
    y[i] = x[i] * x[i];
    i += threads;
  }
}

extern "C" __global__ void countdown_not(const float *RESTRICT x, float *RESTRICT y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int step = threads; i < n; step *= 2) {
    y[i] = x[i] * x[i];
    i += step;
  }
}
