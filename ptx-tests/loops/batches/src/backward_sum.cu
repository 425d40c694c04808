// ptxasw: remarks
// llvm: yes
// From the last element to the first with a grid's stride. Its twin's step is what it has just read.
// launch: backward_sum grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: backward_sum grid=2 block=16 args=f32[33],f32[32]:zero,33
// launch: backward_sum grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: backward_sum grid=2 block=16 args=f32[131],f32[32]:zero,131
// launch: backward_sum grid=2 block=16 args=f32[233],f32[32]:zero,233
// launch: backward_sum grid=2 block=16 args=f32[265],f32[32]:zero,265
// launch: backward_sum grid=2 block=16 args=f32[647],f32[32]:zero,647
// launch: backward_sum_not grid=2 block=16 args=f32[1],u32[1]%40,f32[32]:zero,0
// launch: backward_sum_not grid=2 block=16 args=f32[101],u32[101]%40,f32[32]:zero,101
// launch: backward_sum_not grid=2 block=16 args=f32[265],u32[265]%40,f32[32]:zero,265

extern "C" __global__ void backward_sum(const float *x, float *out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  for (int i = n - 1 - thread; i >= 0; i -= gridDim.x * blockDim.x)
    value = value * 0.5f + x[i];
  out[thread] = value;
}

extern "C" __global__ void backward_sum_not(const float *x, const unsigned *skip, float *out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  for (int i = n - 1 - thread; i >= 0; i -= 1 + skip[i])
    value = value * 0.5f + x[i];
  out[thread] = value;
}
