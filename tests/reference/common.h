// One source, three compilers: nvcc and clang make kernels of the functions, g++ a program for the host.
//
// Each function computes a word from three words. Results that are NaN are made one NaN, since the host has others.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

#if defined(__NVCC__)
#define BY_NVCC 1
#elif defined(__CUDA__)
#define BY_CLANG 1
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __forceinline__ __inline__ __attribute__((always_inline))
#include <__clang_cuda_builtin_vars.h>
#else
#define BY_HOST 1
#endif

#if BY_HOST
#include <vector>
#define DEVICE static inline
struct Function {
  const char *name;
  u64 (*compute)(u64, u64, u64);
};
// The functions in their order.
static std::vector<Function> functions;
struct Registered {
  Registered(const char *name, u64 (*compute)(u64, u64, u64)) {
    functions.push_back({name, compute});
  }
};
#define FUNCTION(name)                                                         \
  static u64 name##_of(u64, u64, u64);                                         \
  static Registered name##_registered(#name, name##_of);                       \
  static u64 name##_of([[maybe_unused]] u64 a, [[maybe_unused]] u64 b,         \
                       [[maybe_unused]] u64 c)
#else
#define DEVICE __device__ __forceinline__
#define FUNCTION(name)                                                         \
  __device__ __forceinline__ u64 name##_of(u64, u64, u64);                     \
  extern "C" __global__ void kernel_##name(const u64 *in, u64 *out) {          \
    u64 row = blockIdx.x * blockDim.x + threadIdx.x;                           \
    out[row] = name##_of(in[3 * row], in[3 * row + 1], in[3 * row + 2]);       \
  }                                                                            \
  __device__ __forceinline__ u64 name##_of(u64 a, u64 b, u64 c)
#endif

DEVICE float f32_of(u64 bits) {
  union { u32 bits; float value; } it;
  it.bits = (u32)bits;
  return it.value;
}
DEVICE u64 bits_of(float value) {
  union { u32 bits; float value; } it;
  it.value = value;
  return value != value ? 0x7fffffff : it.bits;
}
DEVICE double f64_of(u64 bits) {
  union { u64 bits; double value; } it;
  it.bits = bits;
  return it.value;
}
DEVICE u64 bits_of(double value) {
  union { u64 bits; double value; } it;
  it.value = value;
  return value != value ? 0x7fffffffffffffff : it.bits;
}
