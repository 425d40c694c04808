// ptxasw: remarks
// llvm: yes
// RMS norm: a block for each row. The squares are summed up, then the row is scaled; the tree between has barriers. Its twin adds up
// in shared memory, behind a barrier in each iteration.
// launch: rms_norm grid=2 block=32 args=f32[1],f32[1],f32[1]:zero,0
// launch: rms_norm grid=2 block=32 args=f32[66],f32[33],f32[66]:zero,33
// launch: rms_norm grid=2 block=32 args=f32[202],f32[101],f32[202]:zero,101
// launch: rms_norm grid=2 block=32 args=f32[262],f32[131],f32[262]:zero,131
// launch: rms_norm grid=2 block=32 args=f32[466],f32[233],f32[466]:zero,233
// launch: rms_norm grid=2 block=32 args=f32[530],f32[265],f32[530]:zero,265
// launch: rms_norm grid=2 block=32 args=f32[1294],f32[647],f32[1294]:zero,647
// launch: rms_norm grid=1 block=32 args=f32[300],f32[265],same0@32,265
// launch: rms_norm_not grid=2 block=32 args=f32[1],f32[2]:zero,0
// launch: rms_norm_not grid=2 block=32 args=f32[202],f32[2]:zero,101
// launch: rms_norm_not grid=2 block=32 args=f32[530],f32[2]:zero,265
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

extern "C" __global__ void rms_norm(const float *RESTRICT x, const float *RESTRICT w, float *RESTRICT y, int columns) {
  __shared__ float parts[32];
  x += blockIdx.x * columns, y += blockIdx.x * columns;
  float squares = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    squares += x[k] * x[k];
  float scale = rsqrtf(block_sum(squares, parts) / columns + 1e-5f);
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    y[k] = x[k] * scale * w[k];
}

extern "C" __global__ void rms_norm_not(const float *RESTRICT x, float *RESTRICT y, int columns) {
  __shared__ float parts[32];
  x += blockIdx.x * columns;
  float total = 0;
  for (int first = 0; first < columns; first += blockDim.x) {
    int k = first + threadIdx.x;
    total += block_sum(k < columns ? x[k] * x[k] : 0.0f, parts);
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = total;
}
