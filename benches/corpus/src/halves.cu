// 16-bit floats: scalars, pairs, conversions, bfloat16.
#include <cuda_fp16.h>
#if __CUDA_ARCH__ >= 800
#include <cuda_bf16.h>
#endif

extern "C" __global__ void axpy(const __half *x, __half *y, __half a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma(a, x[i], y[i]);
}

extern "C" __global__ void pairs(const __half2 *__restrict__ x, __half2 *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    y[i] = __hadd2(__hmul2(x[i], x[i + 1]), __hsub2(x[i + 1], x[i]));
}

extern "C" __global__ void row5(const __half *__restrict__ x, __half *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n - 2) {
    float sum = 0;
#pragma unroll
    for (int k = -2; k <= 2; ++k)
      sum += __half2float(x[i + k]);
    y[i] = __float2half(sum / 5);
  }
}

extern "C" __global__ void jacobi(const __half *__restrict__ a, __half *__restrict__ b, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1) {
    const __half *p = a + j * nx + i;
    __half sum = __hadd(__hadd(p[-1], p[1]), __hadd(p[-nx], p[nx]));
    b[j * nx + i] = __hmul(sum, __float2half(0.25f));
  }
}

extern "C" __global__ void functions(const __half *x, __half *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __half v = x[i];
    y[i] = __hgt(v, __float2half(0.f)) ? hexp(v) : hsqrt(__hneg(v));
    z[i] = __half2float(hsin(v)) + (float)__half2int_rn(v) + (__hisnan(v) ? 1.f : 0.f);
  }
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void brain(const __nv_bfloat16 *__restrict__ x, __nv_bfloat16 *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    y[i] = __hfma(x[i - 1], x[i], __hmax(x[i + 1], x[i]));
}

extern "C" __global__ void brain_pairs(const __nv_bfloat162 *x, float2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __bfloat1622float2(__hfma2(x[i], x[i], x[i]));
}
#endif
