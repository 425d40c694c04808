// ptxasw: remarks
// Layer norm: sum and squares of a row by a block, then the row is normalized. Its twin reads past the cache, as if another kernel wrote.
// launch: layer_norm grid=2 block=32 args=f32[1],f32[1],f32[1],f32[1]:zero,0
// launch: layer_norm grid=2 block=32 args=f32[66],f32[33],f32[33],f32[66]:zero,33
// launch: layer_norm grid=2 block=32 args=f32[202],f32[101],f32[101],f32[202]:zero,101
// launch: layer_norm grid=2 block=32 args=f32[262],f32[131],f32[131],f32[262]:zero,131
// launch: layer_norm grid=2 block=32 args=f32[466],f32[233],f32[233],f32[466]:zero,233
// launch: layer_norm grid=2 block=32 args=f32[530],f32[265],f32[265],f32[530]:zero,265
// launch: layer_norm grid=2 block=32 args=f32[1294],f32[647],f32[647],f32[1294]:zero,647
// launch: layer_norm_not grid=2 block=32 args=f32[1],f32[64]:zero,0
// launch: layer_norm_not grid=2 block=32 args=f32[202],f32[64]:zero,101
// launch: layer_norm_not grid=2 block=32 args=f32[530],f32[64]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

__device__ __forceinline__ float block_sum(float value, float *parts) {
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  float sum = parts[0];
  __syncthreads();
  return sum;
}

extern "C" __global__ void layer_norm(const float *RESTRICT x, const float *RESTRICT w, const float *RESTRICT bias, float *RESTRICT y, int columns) {
  __shared__ float parts[32];
  x += blockIdx.x * columns, y += blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    float value = x[k];
    sum += value;
    squares += value * value;
  }
  float mean = block_sum(sum, parts) / columns;
  float scale = rsqrtf(block_sum(squares, parts) / columns - mean * mean + 1e-5f);
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    y[k] = (x[k] - mean) * scale * w[k] + bias[k];
}

extern "C" __global__ void layer_norm_not(const float *x, float *y, int columns) {
  x += blockIdx.x * columns;
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    float value;
    asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(x + k)) : "memory");
    sum += value;
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}
