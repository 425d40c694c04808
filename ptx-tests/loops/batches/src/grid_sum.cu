// ptxasw: remarks
// llvm: yes
// A sum with a grid's stride. Its twin counts in memory that other threads add to.
// launch: grid_sum grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: grid_sum grid=2 block=16 args=f32[33],f32[32]:zero,33
// launch: grid_sum grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: grid_sum grid=2 block=16 args=f32[131],f32[32]:zero,131
// launch: grid_sum grid=2 block=16 args=f32[233],f32[32]:zero,233
// launch: grid_sum grid=2 block=16 args=f32[265],f32[32]:zero,265
// launch: grid_sum grid=2 block=16 args=f32[647],f32[32]:zero,647
// launch: grid_sum_not grid=2 block=16 args=i32[1],i32[8]:zero,i32[32]:zero,0
// launch: grid_sum_not grid=2 block=16 args=i32[101],i32[8]:zero,i32[32]:zero,101
// launch: grid_sum_not grid=2 block=16 args=i32[265],i32[8]:zero,i32[32]:zero,265

extern "C" __global__ void grid_sum(const float *x, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void grid_sum_not(const int *x, int *counts, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
    atomicAdd(counts + (x[i] & 7), 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
