// ptxasw: remarks
// A store stands between two pure exits, and the second one leaves from the middle. Its twin returns where it finds what it looks for.
// launch: two_exits_behind grid=2 block=16 args=f32[1],f32[1]:zero,0,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[33],f32[33]:zero,33,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[101],f32[101]:zero,101,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[131],f32[131]:zero,131,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[233],f32[233]:zero,233,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[265],f32[265]:zero,265,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,100,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,0,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,1,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,3,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,4,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,5,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,7,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,8,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,9,u32[32]:zero
// launch: two_exits_behind grid=2 block=16 args=f32[647],f32[647]:zero,647,21,u32[32]:zero
// launch: two_exits_behind_not grid=2 block=16 args=f32[1],f32[1]:zero,0,u32[32]:zero
// launch: two_exits_behind_not grid=2 block=16 args=f32[101],f32[101]:zero,101,u32[32]:zero
// launch: two_exits_behind_not grid=2 block=16 args=f32[265],f32[265]:zero,265,u32[32]:zero
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void two_exits_behind(const float *RESTRICT x, float *RESTRICT y, int n, int last, int *RESTRICT at) {
  int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x, rows = 0;
  for (; i < n; i += step) {
    y[i] = 2.0f * x[i];
    if (++rows == last)
      break;
    y[i] += 1.0f;
  }
  at[blockIdx.x * blockDim.x + threadIdx.x] = i;
}

extern "C" __global__ void two_exits_behind_not(const float *RESTRICT x, float *RESTRICT y, int n, int *RESTRICT at) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float value = x[i];
    if (value > 0.5f) {
      at[blockIdx.x * blockDim.x + threadIdx.x] = i;
      return;
    }
    y[i] = value;
  }
}
