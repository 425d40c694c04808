// Copies into shared memory that run beside the computation, in stages.
#include <cuda_pipeline.h>

extern "C" __global__ void __launch_bounds__(128) staged(const float *in, float *out, int n) {
  __shared__ __align__(16) float stage[4][128 + 8];
  int blocks = n / 128, t = threadIdx.x;
  for (int s = 0; s < 3; ++s) {
    if (s < blocks)
      __pipeline_memcpy_async(&stage[s][t], &in[s * 128 + t], 4);
    __pipeline_commit();
  }
  for (int b = 0; b < blocks; ++b) {
    __pipeline_wait_prior(2);
    __syncthreads();
    out[b * 128 + t] = stage[b & 3][t] + (t > 0 ? stage[b & 3][t - 1] : 0);
    if (b + 3 < blocks)
      __pipeline_memcpy_async(&stage[(b + 3) & 3][t], &in[(b + 3) * 128 + t], 4);
    __pipeline_commit();
  }
}

extern "C" __global__ void vectors(const float4 *in, float4 *out, int n) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float4 a = tile[threadIdx.x], b = tile[255 - threadIdx.x];
  if (i < n)
    out[i] = make_float4(a.x + b.w, a.y + b.z, a.z + b.y, a.w + b.x);
}

// Rows of global memory are read beside a copy that is under way.
extern "C" __global__ void beside(const float *__restrict__ in, const float *__restrict__ row, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n - 2)
    return;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], 4);
  __pipeline_commit();
  float sum = row[i] + row[i + 1] + row[i + 2];
  __pipeline_wait_prior(0);
  out[i] = sum * tile[threadIdx.x];
}
