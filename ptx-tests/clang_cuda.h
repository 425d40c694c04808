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

// What real code writes, by the instructions that nvcc makes of it.
__device__ __forceinline__ float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ __forceinline__ float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__device__ __forceinline__ float fabsf(float x) { return __builtin_fabsf(x); }
__device__ __forceinline__ float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__device__ __forceinline__ float fminf(float x, float y) { return __builtin_fminf(x, y); }
__device__ __forceinline__ float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
__device__ __forceinline__ int __float2int_rn(float x) { return __nvvm_f2i_rn(x); }
__device__ __forceinline__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__device__ __forceinline__ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__device__ __forceinline__ int atomicAdd(int *p, int x) { return __nvvm_atom_add_gen_i(p, x); }
__device__ __forceinline__ int atomicMax(int *p, int x) { return __nvvm_atom_max_gen_i(p, x); }
__device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
__device__ __forceinline__ void __syncwarp(unsigned lanes) { __nvvm_bar_warp_sync(lanes); }
__device__ __forceinline__ float __shfl_xor_sync(unsigned lanes, float x, int other) {
  return __nvvm_shfl_sync_bfly_f32(lanes, x, other, 31);
}
__device__ __forceinline__ float __shfl_down_sync(unsigned lanes, float x, int distance) {
  return __nvvm_shfl_sync_down_f32(lanes, x, distance, 31);
}
__device__ __forceinline__ int __any_sync(unsigned lanes, int x) { return __nvvm_vote_any_sync(lanes, x); }
__device__ __forceinline__ void __trap() { __builtin_trap(); }
__device__ __forceinline__ int clock() { return __nvvm_read_ptx_sreg_clock(); }
__device__ __forceinline__ unsigned __activemask() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
