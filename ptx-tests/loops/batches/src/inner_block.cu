// ptxasw: remarks
// Three rows of a block, in an inner loop that is not unrolled for its stride: the loop around it is long. Its twin calls a function.
// launch: inner_block grid=2 block=16 args=f32[1],f32[32]:zero,101,0,101
// launch: inner_block grid=2 block=16 args=f32[101],f32[32]:zero,101,1,101
// launch: inner_block grid=2 block=16 args=f32[303],f32[32]:zero,101,3,101
// launch: inner_block grid=2 block=16 args=f32[404],f32[32]:zero,101,4,101
// launch: inner_block grid=2 block=16 args=f32[505],f32[32]:zero,101,5,101
// launch: inner_block grid=2 block=16 args=f32[707],f32[32]:zero,101,7,101
// launch: inner_block grid=2 block=16 args=f32[808],f32[32]:zero,101,8,101
// launch: inner_block grid=2 block=16 args=f32[909],f32[32]:zero,101,9,101
// launch: inner_block grid=2 block=16 args=f32[2121],f32[32]:zero,101,21,101
// launch: inner_block_not grid=2 block=16 args=f32[1],f32[32]:zero,101,0,101
// launch: inner_block_not grid=2 block=16 args=f32[303],f32[32]:zero,101,3,101
// launch: inner_block_not grid=2 block=16 args=f32[909],f32[32]:zero,101,9,101

__attribute__((noinline)) __device__ float weight_of(float x, int k) { return k & 1 ? x * x : 1.0f + x; }

extern "C" __global__ void inner_block(const float *x, float *out, int n, int height, int pitch) {
  float largest = -3.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int at = i; at < i + height * pitch; at += pitch)
      sum += x[at];
    largest = fmaxf(largest, sum);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = largest;
}

extern "C" __global__ void inner_block_not(const float *x, float *out, int n, int height, int pitch) {
  float largest = -3.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int at = i; at < i + height * pitch; at += pitch)
      sum += weight_of(x[at], at);
    largest = fmaxf(largest, sum);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = largest;
}
