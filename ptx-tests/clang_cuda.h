// What clang 19 needs to compile these sources without a CUDA toolkit.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h>

__device__ __forceinline__ float __ldg(const float *p) {
  return __nvvm_ldg_f(p);
}
__device__ __forceinline__ unsigned long
__cvta_generic_to_global(const void *p) {
  return (unsigned long)(const __attribute__((address_space(1))) void *)p;
}

// There is no libdevice here: the hardware's approximations stand in.
__device__ __forceinline__ float sinf(float x) { return __nvvm_sin_approx_f(x); }
__device__ __forceinline__ float cosf(float x) { return __nvvm_cos_approx_f(x); }
