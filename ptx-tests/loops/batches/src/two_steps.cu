// ptxasw: remarks
// llvm: yes
// Pairs become halves: one index steps by twice what the other does. Its twin steps by what a bit of the index says.
// launch: two_steps grid=2 block=16 args=f32[1],f32[1]:zero,0
// launch: two_steps grid=2 block=16 args=f32[66],f32[33]:zero,33
// launch: two_steps grid=2 block=16 args=f32[202],f32[101]:zero,101
// launch: two_steps grid=2 block=16 args=f32[262],f32[131]:zero,131
// launch: two_steps grid=2 block=16 args=f32[466],f32[233]:zero,233
// launch: two_steps grid=2 block=16 args=f32[530],f32[265]:zero,265
// launch: two_steps grid=2 block=16 args=f32[1294],f32[647]:zero,647
// launch: two_steps grid=1 block=1 args=f32[40],same0@4,9
// launch: two_steps grid=1 block=1 args=f32[40]@8,same0@0,9
// launch: two_steps_not grid=2 block=16 args=f32[64],f32[1]:zero,0
// launch: two_steps_not grid=2 block=16 args=f32[97],f32[33]:zero,33
// launch: two_steps_not grid=2 block=16 args=f32[165],f32[101]:zero,101
// launch: two_steps_not grid=2 block=16 args=f32[195],f32[131]:zero,131
// launch: two_steps_not grid=2 block=16 args=f32[297],f32[233]:zero,233
// launch: two_steps_not grid=2 block=16 args=f32[329],f32[265]:zero,265
// launch: two_steps_not grid=2 block=16 args=f32[711],f32[647]:zero,647
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void two_steps(const float *RESTRICT x, float *RESTRICT y, int n) {
  int threads = gridDim.x * blockDim.x;
  int to = blockIdx.x * blockDim.x + threadIdx.x;
  for (int from = 2 * to; to < n; to += threads, from += 2 * threads)
    y[to] = x[from] + x[from + 1];
}

extern "C" __global__ void two_steps_not(const float *RESTRICT x, float *RESTRICT y, int n) {
  int threads = gridDim.x * blockDim.x;
  int to = blockIdx.x * blockDim.x + threadIdx.x;
  for (int from = to; to < n; to += threads) {
    y[to] = x[from];
    if (from & 1)
      from += 1;
    else
      from += threads;
  }
}
