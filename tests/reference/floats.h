// Floats: IEEE 754 operations, each rounded once.
#pragma once

#if BY_NVCC
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define FMAF fmaf
#define FMA fma
#define SQRTF sqrtf
#define SQRT sqrt
#define FMINF fminf
#define FMAXF fmaxf
#define FMIN fmin
#define FMAX fmax
#define RINTF rintf
#define FLOORF floorf
#define CEILF ceilf
#define TRUNCF truncf
#define RINT rint
#define FLOOR floor
#define CEIL ceil
#define TRUNC trunc
#define COPYSIGNF copysignf
#define COPYSIGN copysign
#define FABSF fabsf
#define FABS fabs
#else
#define FMAF __builtin_fmaf
#define FMA __builtin_fma
#define SQRTF __builtin_sqrtf
#define SQRT __builtin_sqrt
#define FMINF __builtin_fminf
#define FMAXF __builtin_fmaxf
#define FMIN __builtin_fmin
#define FMAX __builtin_fmax
#define RINTF __builtin_rintf
#define FLOORF __builtin_floorf
#define CEILF __builtin_ceilf
#define TRUNCF __builtin_truncf
#define RINT __builtin_rint
#define FLOOR __builtin_floor
#define CEIL __builtin_ceil
#define TRUNC __builtin_trunc
#define COPYSIGNF __builtin_copysignf
#define COPYSIGN __builtin_copysign
#define FABSF __builtin_fabsf
#define FABS __builtin_fabs
#endif

#define SINGLE float x = f32_of(a), y = f32_of(b), z = f32_of(c); (void)x, (void)y, (void)z
#define DOUBLE double x = f64_of(a), y = f64_of(b), z = f64_of(c); (void)x, (void)y, (void)z

FUNCTION(fadd) { SINGLE; return bits_of(x + y); }
FUNCTION(fsub) { SINGLE; return bits_of(x - y); }
FUNCTION(fmul) { SINGLE; return bits_of(x * y); }
FUNCTION(fdiv) { SINGLE; return bits_of(x / y); }
FUNCTION(froot) { SINGLE; return bits_of(SQRTF(x)); }
FUNCTION(ffma) { SINGLE; return bits_of(FMAF(x, y, z)); }
FUNCTION(fneg) { SINGLE; return bits_of(-x) ^ bits_of(FABSF(y)) << 32; }
FUNCTION(fsign) { SINGLE; return bits_of(COPYSIGNF(x, y)); }
FUNCTION(fpolynomial) { SINGLE; return bits_of((x * 0.5f + y) * x - z / 3.0f); }
FUNCTION(dadd) { DOUBLE; return bits_of(x + y); }
FUNCTION(dsub) { DOUBLE; return bits_of(x - y); }
FUNCTION(dmul) { DOUBLE; return bits_of(x * y); }
FUNCTION(ddiv) { DOUBLE; return bits_of(x / y); }
FUNCTION(droot) { DOUBLE; return bits_of(SQRT(x)); }
FUNCTION(dfma) { DOUBLE; return bits_of(FMA(x, y, z)); }
FUNCTION(dsign) { DOUBLE; return bits_of(COPYSIGN(x, y)); }
FUNCTION(dpolynomial) { DOUBLE; return bits_of((x * 0.5 + y) * x - z / 3.0); }

// C leaves the order of zeros open, and libraries differ about signalling NaNs.
DEVICE u64 open_(u32 x) { return (x << 1) > 0xff000000u && !(x & 0x400000); }
DEVICE u64 open_(u64 x) { return (x << 1) > 0xffe0000000000000ull && !(x >> 51 & 1); }
#define EXTREME(name, word, prepare, function)                                 \
  FUNCTION(name) {                                                             \
    prepare;                                                                   \
    if ((x == 0 && y == 0) || open_((word)a) || open_((word)b)) return 0;      \
    return bits_of(function(x, y));                                            \
  }
EXTREME(f_least, u32, SINGLE, FMINF)
EXTREME(f_greatest, u32, SINGLE, FMAXF)
EXTREME(d_least, u64, DOUBLE, FMIN)
EXTREME(d_greatest, u64, DOUBLE, FMAX)

FUNCTION(forders) {
  SINGLE;
  u64 found = (u64)(x < y) | (u64)(x <= y) << 1 | (u64)(x > y) << 2 | (u64)(x >= y) << 3;
  found |= (u64)(x == y) << 4 | (u64)(x != y) << 5 | (u64)!(x < y) << 6 | (u64)!(x >= y) << 7;
  return found | (u64)__builtin_isnan(x) << 8 | (u64)(x < y && y < z) << 9 | (u64)(x != x || y > z) << 10;
}
FUNCTION(dorders) {
  DOUBLE;
  u64 found = (u64)(x < y) | (u64)(x <= y) << 1 | (u64)(x > y) << 2 | (u64)(x >= y) << 3;
  return found | (u64)(x == y) << 4 | (u64)(x != y) << 5 | (u64)!(x < y) << 6 | (u64)!(x >= y) << 7;
}
FUNCTION(fchoice) { SINGLE; return x < y ? bits_of(z) : a; }

FUNCTION(fnearest) { SINGLE; return bits_of(RINTF(x)); }
FUNCTION(fdown) { SINGLE; return bits_of(FLOORF(x)); }
FUNCTION(fup) { SINGLE; return bits_of(CEILF(x)); }
FUNCTION(fzero) { SINGLE; return bits_of(TRUNCF(x)); }
FUNCTION(dnearest) { DOUBLE; return bits_of(RINT(x)); }
FUNCTION(ddown) { DOUBLE; return bits_of(FLOOR(x)); }
FUNCTION(dup) { DOUBLE; return bits_of(CEIL(x)); }
FUNCTION(dzero) { DOUBLE; return bits_of(TRUNC(x)); }

// Conversions of values that the type holds.
FUNCTION(f_of_d) { DOUBLE; return bits_of((float)x); }
FUNCTION(d_of_f) { SINGLE; return bits_of((double)x); }
FUNCTION(f_of_s32) { return bits_of((float)(s32)a); }
FUNCTION(f_of_u32) { return bits_of((float)(u32)a); }
FUNCTION(f_of_s64) { return bits_of((float)(s64)a); }
FUNCTION(f_of_u64) { return bits_of((float)a); }
FUNCTION(f_of_s8) { return bits_of((float)(s8)a); }
FUNCTION(f_of_u16) { return bits_of((float)(u16)a); }
FUNCTION(d_of_s32) { return bits_of((double)(s32)a); }
FUNCTION(d_of_u32) { return bits_of((double)(u32)a); }
FUNCTION(d_of_s64) { return bits_of((double)(s64)a); }
FUNCTION(d_of_u64) { return bits_of((double)a); }
#define INTEGER_OF(name, prepare, type, least, most)                           \
  FUNCTION(name) {                                                             \
    prepare;                                                                   \
    return x > least && x < most ? (u64)(type)x : 5;                           \
  }
INTEGER_OF(s32_of_f, SINGLE, s32, -2147483648.0f, 2147483648.0f)
INTEGER_OF(u32_of_f, SINGLE, u32, -1.0f, 4294967296.0f)
INTEGER_OF(s64_of_f, SINGLE, s64, -9223372036854775808.0f, 9223372036854775808.0f)
INTEGER_OF(u64_of_f, SINGLE, u64, -1.0f, 18446744073709551616.0f)
INTEGER_OF(s16_of_f, SINGLE, s16, -32768.0f, 32768.0f)
INTEGER_OF(u8_of_f, SINGLE, u8, -1.0f, 256.0f)
INTEGER_OF(s32_of_d, DOUBLE, s32, -2147483649.0, 2147483648.0)
INTEGER_OF(u32_of_d, DOUBLE, u32, -1.0, 4294967296.0)
INTEGER_OF(s64_of_d, DOUBLE, s64, -9223372036854775808.0, 9223372036854775808.0)
INTEGER_OF(u64_of_d, DOUBLE, u64, -1.0, 18446744073709551616.0)

// Half precision: C's type on the host and in clang, the header's in nvcc.
#if BY_NVCC
DEVICE u16 half_of(float x) { return __half_as_ushort(__float2half_rn(x)); }
DEVICE float of_half(u16 x) { return __half2float(__ushort_as_half(x)); }
DEVICE u16 half_sum(u16 x, u16 y) { return __half_as_ushort(__hadd_rn(__ushort_as_half(x), __ushort_as_half(y))); }
DEVICE u16 half_difference(u16 x, u16 y) { return __half_as_ushort(__hsub_rn(__ushort_as_half(x), __ushort_as_half(y))); }
DEVICE u16 half_product(u16 x, u16 y) { return __half_as_ushort(__hmul_rn(__ushort_as_half(x), __ushort_as_half(y))); }
DEVICE u16 bfloat_of(float x) { return __bfloat16_as_ushort(__float2bfloat16_rn(x)); }
#else
DEVICE u16 bits_of(_Float16 value) {
  union { u16 bits; _Float16 value; } it;
  it.value = value;
  return it.bits;
}
DEVICE _Float16 f16_of(u16 bits) {
  union { u16 bits; _Float16 value; } it;
  it.bits = bits;
  return it.value;
}
DEVICE u16 half_of(float x) { return bits_of((_Float16)x); }
DEVICE float of_half(u16 x) { return (float)f16_of(x); }
DEVICE u16 half_sum(u16 x, u16 y) { return bits_of((_Float16)(f16_of(x) + f16_of(y))); }
DEVICE u16 half_difference(u16 x, u16 y) { return bits_of((_Float16)(f16_of(x) - f16_of(y))); }
DEVICE u16 half_product(u16 x, u16 y) { return bits_of((_Float16)(f16_of(x) * f16_of(y))); }
DEVICE u16 bfloat_of(float x) {
  u32 bits = (u32)bits_of(x);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#endif
DEVICE u64 number16(u16 x) { return (x & 0x7fff) > 0x7c00 ? 0x7fff : x; }
FUNCTION(half_from_float) { SINGLE; return number16(half_of(x)); }
FUNCTION(float_from_half) { return bits_of(of_half((u16)a)); }
FUNCTION(half_add) { return number16(half_sum((u16)a, (u16)b)); }
FUNCTION(half_sub) { return number16(half_difference((u16)a, (u16)b)); }
FUNCTION(half_mul) { return number16(half_product((u16)a, (u16)b)); }
FUNCTION(bfloat_from_float) { SINGLE; return x != x ? 0x7fff : bfloat_of(x); }

// Sums in a loop, and a stencil of sorts.
FUNCTION(fseries) {
  SINGLE;
  float sum = 0;
  for (int i = 1; i < 12; i++) sum = FMAF(sum, x, y / (float)i);
  return bits_of(sum);
}
