// Directed rounding: the host's by its floating-point environment.
#pragma once

#if BY_HOST
#include <cfenv>
#define IN_ROUNDING(type, mode, value)                                         \
  fesetround(mode);                                                            \
  volatile type result = value;                                                \
  fesetround(FE_TONEAREST);                                                    \
  return bits_of((type)result)
#define ROUNDED(suffix, mode, nvcc, builtin)                                   \
  FUNCTION(fadd_##suffix) { SINGLE; volatile float v = x; IN_ROUNDING(float, mode, v + y); }   \
  FUNCTION(fmul_##suffix) { SINGLE; volatile float v = x; IN_ROUNDING(float, mode, v * y); }   \
  FUNCTION(fdiv_##suffix) { SINGLE; volatile float v = x; IN_ROUNDING(float, mode, v / y); }   \
  FUNCTION(froot_##suffix) { SINGLE; volatile float v = x; IN_ROUNDING(float, mode, SQRTF(v)); } \
  FUNCTION(ffma_##suffix) { SINGLE; volatile float v = x; IN_ROUNDING(float, mode, FMAF(v, y, z)); } \
  FUNCTION(dadd_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(double, mode, v + y); }  \
  FUNCTION(dmul_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(double, mode, v * y); }  \
  FUNCTION(ddiv_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(double, mode, v / y); }  \
  FUNCTION(droot_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(double, mode, SQRT(v)); } \
  FUNCTION(dfma_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(double, mode, FMA(v, y, z)); } \
  FUNCTION(f_of_d_##suffix) { DOUBLE; volatile double v = x; IN_ROUNDING(float, mode, (float)v); } \
  FUNCTION(f_of_s32_##suffix) { volatile s32 v = (s32)a; IN_ROUNDING(float, mode, (float)v); }  \
  FUNCTION(d_of_s64_##suffix) { volatile s64 v = (s64)a; IN_ROUNDING(double, mode, (double)v); } \
  FUNCTION(s32_of_f_##suffix) {                                                \
    SINGLE;                                                                    \
    if (!(x > -2147483000.0f && x < 2147483000.0f)) return 5;                  \
    volatile float v = x;                                                      \
    fesetround(mode);                                                          \
    volatile float whole = RINTF(v);                                           \
    fesetround(FE_TONEAREST);                                                  \
    return (u64)(s32)whole;                                                    \
  }
#elif BY_NVCC
#define ROUNDED(suffix, mode, nvcc, builtin)                                   \
  FUNCTION(fadd_##suffix) { SINGLE; return bits_of(__fadd_##nvcc(x, y)); }     \
  FUNCTION(fmul_##suffix) { SINGLE; return bits_of(__fmul_##nvcc(x, y)); }     \
  FUNCTION(fdiv_##suffix) { SINGLE; return bits_of(__fdiv_##nvcc(x, y)); }     \
  FUNCTION(froot_##suffix) { SINGLE; return bits_of(__fsqrt_##nvcc(x)); }      \
  FUNCTION(ffma_##suffix) { SINGLE; return bits_of(__fmaf_##nvcc(x, y, z)); }  \
  FUNCTION(dadd_##suffix) { DOUBLE; return bits_of(__dadd_##nvcc(x, y)); }     \
  FUNCTION(dmul_##suffix) { DOUBLE; return bits_of(__dmul_##nvcc(x, y)); }     \
  FUNCTION(ddiv_##suffix) { DOUBLE; return bits_of(__ddiv_##nvcc(x, y)); }     \
  FUNCTION(droot_##suffix) { DOUBLE; return bits_of(__dsqrt_##nvcc(x)); }      \
  FUNCTION(dfma_##suffix) { DOUBLE; return bits_of(__fma_##nvcc(x, y, z)); }   \
  FUNCTION(f_of_d_##suffix) { DOUBLE; return bits_of(__double2float_##nvcc(x)); } \
  FUNCTION(f_of_s32_##suffix) { return bits_of(__int2float_##nvcc((s32)a)); }  \
  FUNCTION(d_of_s64_##suffix) { return bits_of(__ll2double_##nvcc((s64)a)); }  \
  FUNCTION(s32_of_f_##suffix) {                                                \
    SINGLE;                                                                    \
    if (!(x > -2147483000.0f && x < 2147483000.0f)) return 5;                  \
    return (u64)__float2int_##nvcc(x);                                         \
  }
#else
// LLVM 19 rounds its __nvvm_i2f_rz and __nvvm_ll2d_rz to nearest: inline PTX
// stands for them.
#define ROUNDED(suffix, mode, nvcc, builtin)                                   \
  FUNCTION(fadd_##suffix) { SINGLE; return bits_of(__nvvm_add_##builtin##_f(x, y)); }    \
  FUNCTION(fmul_##suffix) { SINGLE; return bits_of(__nvvm_mul_##builtin##_f(x, y)); }    \
  FUNCTION(fdiv_##suffix) { SINGLE; return bits_of(__nvvm_div_##builtin##_f(x, y)); }    \
  FUNCTION(froot_##suffix) { SINGLE; return bits_of(__nvvm_sqrt_##builtin##_f(x)); }     \
  FUNCTION(ffma_##suffix) { SINGLE; return bits_of(__nvvm_fma_##builtin##_f(x, y, z)); } \
  FUNCTION(dadd_##suffix) { DOUBLE; return bits_of(__nvvm_add_##builtin##_d(x, y)); }    \
  FUNCTION(dmul_##suffix) { DOUBLE; return bits_of(__nvvm_mul_##builtin##_d(x, y)); }    \
  FUNCTION(ddiv_##suffix) { DOUBLE; return bits_of(__nvvm_div_##builtin##_d(x, y)); }    \
  FUNCTION(droot_##suffix) { DOUBLE; return bits_of(__nvvm_sqrt_##builtin##_d(x)); }     \
  FUNCTION(dfma_##suffix) { DOUBLE; return bits_of(__nvvm_fma_##builtin##_d(x, y, z)); } \
  FUNCTION(f_of_d_##suffix) { DOUBLE; return bits_of(__nvvm_d2f_##builtin(x)); }         \
  FUNCTION(f_of_s32_##suffix) {                                                \
    float value;                                                               \
    __asm__("cvt." #builtin ".f32.s32 %0, %1;" : "=f"(value) : "r"((s32)a));   \
    return bits_of(value);                                                     \
  }                                                                            \
  FUNCTION(d_of_s64_##suffix) {                                                \
    double value;                                                              \
    __asm__("cvt." #builtin ".f64.s64 %0, %1;" : "=d"(value) : "l"((s64)a));   \
    return bits_of(value);                                                     \
  }                                                                            \
  FUNCTION(s32_of_f_##suffix) {                                                \
    SINGLE;                                                                    \
    if (!(x > -2147483000.0f && x < 2147483000.0f)) return 5;                  \
    return (u64)__nvvm_f2i_##builtin(x);                                       \
  }
#endif

ROUNDED(zero, FE_TOWARDZERO, rz, rz)
ROUNDED(down, FE_DOWNWARD, rd, rm)
ROUNDED(up, FE_UPWARD, ru, rp)
