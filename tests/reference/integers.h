// Integers: what C fixes, and nothing that it leaves open.
#pragma once

FUNCTION(add32) { return (u32)a + (u32)b; }
FUNCTION(sub64) { return a - b; }
FUNCTION(mul16) { return (u16)((u32)(u16)a * (u16)b); }
FUNCTION(mul32) { return (u32)a * (u32)b; }
FUNCTION(mul64) { return a * b; }
FUNCTION(mad64) { return a * b + c; }
FUNCTION(wide_unsigned) { return (u64)(u32)a * (u32)b; }
FUNCTION(wide_signed) { return (u64)((s64)(s32)a * (s32)b); }
FUNCTION(wide_short) { return (u64)((s32)(s16)a * (s16)b); }
FUNCTION(high_unsigned) { return ((u64)(u32)a * (u32)b) >> 32; }
FUNCTION(high_signed) { return (u32)(((s64)(s32)a * (s32)b) >> 32); }
FUNCTION(high64_unsigned) { return (u64)(((u128)a * b) >> 64); }
FUNCTION(high64_signed) { return (u64)(((s128)(s64)a * (s64)b) >> 64); }
FUNCTION(sum128) { return (u64)((((u128)a << 64 | b) + ((u128)b << 64 | c)) >> 64); }
FUNCTION(difference128) { return (u64)((((u128)a << 64 | b) - ((u128)c << 64 | a)) >> 64); }
FUNCTION(product128) { return (u64)((((u128)a << 64 | b) * c) >> 64); }
FUNCTION(shift128) { return (u64)(((u128)a << 64 | b) >> (c & 127)); }
FUNCTION(shift128_left) { return (u64)(((u128)a << 64 | b) << (c & 127) >> 64); }

// Quotients of the pairs that have one.
#define QUOTIENT(name, type, least)                                            \
  FUNCTION(name##_quotient) {                                                  \
    type x = (type)a, y = (type)b;                                             \
    return y == 0 || (x == least && y == (type)-1) ? 7 : (u64)(x / y);         \
  }                                                                            \
  FUNCTION(name##_rest) {                                                      \
    type x = (type)a, y = (type)b;                                             \
    return y == 0 || (x == least && y == (type)-1) ? 7 : (u64)(x % y);         \
  }
QUOTIENT(u16_, u16, 0)
QUOTIENT(s16_, s16, (s16)0x8000)
QUOTIENT(u32_, u32, 0)
QUOTIENT(s32_, s32, (s32)0x80000000)
QUOTIENT(u64_, u64, 0)
QUOTIENT(s64_, s64, (s64)0x8000000000000000)
FUNCTION(by_seven) { return (u64)((s32)a / 7) ^ (u32)b / 10 ^ c % 1000003; }

FUNCTION(left16) { return (u16)((u16)a << (b & 15)); }
FUNCTION(left32) { return (u32)a << (b & 31); }
FUNCTION(left64) { return a << (b & 63); }
FUNCTION(right16) { return (u16)a >> (b & 15); }
FUNCTION(right16_signed) { return (u64)((s16)a >> (b & 15)); }
FUNCTION(right32) { return (u32)a >> (b & 31); }
FUNCTION(right32_signed) { return (u64)((s32)a >> (b & 31)); }
FUNCTION(right64) { return a >> (b & 63); }
FUNCTION(right64_signed) { return (u64)((s64)a >> (b & 63)); }
FUNCTION(rotated32) { u32 n = b & 31; return (u32)((u32)a << n | (u32)a >> ((32 - n) & 31)); }
FUNCTION(rotated64) { u32 n = b & 63; return a << n | a >> ((64 - n) & 63); }

FUNCTION(logic32) { return (u32)((a & b) | (~a & c)) ^ (u32)(b | ~c); }
FUNCTION(logic64) { return ((a ^ b) & c) | (a & ~b & ~c); }
FUNCTION(majority) { return (u32)((a & b) | (b & c) | (a & c)); }

FUNCTION(least) { return (u64)((s32)a < (s32)b ? (s32)a : (s32)b); }
FUNCTION(greatest) { return a > b ? a : b; }
FUNCTION(least64) { return (s64)a < (s64)b ? a : b; }
FUNCTION(greatest16) { return (u64)((s16)a > (s16)b ? (s16)a : (s16)b); }
FUNCTION(magnitude) { s64 x = (s64)a; return x < 0 ? 0 - a : a; }
FUNCTION(distance) { return (u32)((s32)a > (s32)b ? (u32)a - (u32)b : (u32)b - (u32)a) + (u32)c; }
FUNCTION(choice) { return (s32)c >= 0 ? a : b; }
FUNCTION(orders) {
  u64 found = (u64)((s32)a < (s32)b) | (u64)((u32)a < (u32)b) << 1 | (u64)((s64)a <= (s64)b) << 2;
  found |= (u64)(a > b) << 3 | (u64)((s16)a >= (s16)b) << 4 | (u64)((u16)a == (u16)b) << 5;
  return found | (u64)((u8)a != (u8)b) << 6 | (u64)((s32)a < (s32)b && b != c) << 7;
}

FUNCTION(narrow8) { return (u64)(s8)a ^ (u8)b; }
FUNCTION(narrow16) { return (u64)(s16)a ^ (u16)b; }
FUNCTION(narrow32) { return (u64)(s32)a ^ (u32)b; }
FUNCTION(field) { u32 n = b & 31, m = (c & 15) + 1; return ((u32)a >> n) & ((1u << m) - 1); }
FUNCTION(field_signed) { u32 n = b & 15; return (u64)((s32)((u32)a << n) >> (n + 5)); }
FUNCTION(inserted) { u32 m = 0xff << (c & 15); return ((u32)a & ~m) | (((u32)b << (c & 15)) & m); }

// Words as vectors of bytes.
FUNCTION(bytes_reversed) {
  u32 x = (u32)a;
  return x << 24 | (x & 0xff00) << 8 | ((x >> 8) & 0xff00) | x >> 24;
}
FUNCTION(bytes_mixed) { return (u32)((a & 0xff) << 24 | (b & 0xff00) | (c >> 16 & 0xff) << 16 | (a >> 24 & 0xff)); }
FUNCTION(byte_dot) {
  s32 sum = 0;
  for (int i = 0; i < 4; i++) sum += (s32)(s8)(a >> (8 * i)) * (s8)(b >> (8 * i));
  return (u32)sum + (u32)c;
}

// Intrinsics, on the host by their definition.
#if BY_NVCC
DEVICE u32 leading32(u32 x) { return __clz(x); }
DEVICE u32 leading64(u64 x) { return __clzll(x); }
DEVICE u32 ones32(u32 x) { return __popc(x); }
DEVICE u32 ones64(u64 x) { return __popcll(x); }
DEVICE u32 first32(u32 x) { return __ffs(x); }
DEVICE u32 mirrored32(u32 x) { return __brev(x); }
DEVICE u64 mirrored64(u64 x) { return __brevll(x); }
DEVICE u32 permuted(u32 x, u32 y, u32 s) { return __byte_perm(x, y, s); }
DEVICE u32 funnel_left(u32 lo, u32 hi, u32 n) { return __funnelshift_l(lo, hi, n); }
DEVICE u32 funnel_right(u32 lo, u32 hi, u32 n) { return __funnelshift_r(lo, hi, n); }
DEVICE u32 funnel_left_clamped(u32 lo, u32 hi, u32 n) { return __funnelshift_lc(lo, hi, n); }
DEVICE u32 funnel_right_clamped(u32 lo, u32 hi, u32 n) { return __funnelshift_rc(lo, hi, n); }
DEVICE u32 product24(u32 x, u32 y) { return __umul24(x, y); }
DEVICE s32 product24_signed(s32 x, s32 y) { return __mul24(x, y); }
DEVICE u32 differences(s32 x, s32 y, u32 z) { return __sad(x, y, z); }
DEVICE s32 dot4(s32 x, s32 y, s32 z) { return __dp4a(x, y, z); }
DEVICE u32 dot4u(u32 x, u32 y, u32 z) { return __dp4a(x, y, z); }
DEVICE s32 dot2(s32 x, s32 y, s32 z) { return __dp2a_hi(x, y, z); }
DEVICE u32 average(u32 x, u32 y) { return __uhadd(x, y); }
DEVICE s32 average_up(s32 x, s32 y) { return __rhadd(x, y); }
#else
DEVICE u32 leading32(u32 x) { return x ? __builtin_clz(x) : 32; }
DEVICE u32 leading64(u64 x) { return x ? __builtin_clzll(x) : 64; }
DEVICE u32 ones32(u32 x) { return __builtin_popcount(x); }
DEVICE u32 ones64(u64 x) { return __builtin_popcountll(x); }
DEVICE u32 first32(u32 x) { return x ? __builtin_ctz(x) + 1 : 0; }
DEVICE u64 mirrored64(u64 x) {
  u64 y = 0;
  for (int i = 0; i < 64; i++) y |= (x >> i & 1) << (63 - i);
  return y;
}
DEVICE u32 mirrored32(u32 x) { return (u32)(mirrored64(x) >> 32); }
DEVICE u32 permuted(u32 x, u32 y, u32 s) {
  u64 both = (u64)y << 32 | x;
  u32 r = 0;
  for (int i = 0; i < 4; i++) r |= (u32)(both >> (8 * (s >> (4 * i) & 7)) & 0xff) << (8 * i);
  return r;
}
DEVICE u32 funnel_left(u32 lo, u32 hi, u32 n) { return (u32)(((u64)hi << 32 | lo) << (n & 31) >> 32); }
DEVICE u32 funnel_right(u32 lo, u32 hi, u32 n) { return (u32)(((u64)hi << 32 | lo) >> (n & 31)); }
DEVICE u32 funnel_left_clamped(u32 lo, u32 hi, u32 n) { return n > 31 ? lo : funnel_left(lo, hi, n); }
DEVICE u32 funnel_right_clamped(u32 lo, u32 hi, u32 n) { return n > 31 ? hi : funnel_right(lo, hi, n); }
DEVICE s64 low24(s32 x) { return (s32)((u32)x << 8) >> 8; }
DEVICE u32 product24(u32 x, u32 y) { return (u32)((u64)(x & 0xffffff) * (y & 0xffffff)); }
DEVICE s32 product24_signed(s32 x, s32 y) { return (s32)(low24(x) * low24(y)); }
DEVICE u32 differences(s32 x, s32 y, u32 z) { s64 d = (s64)x - y; return (u32)(d < 0 ? -d : d) + z; }
DEVICE s32 dot4(s32 x, s32 y, s32 z) {
  u32 sum = (u32)z;
  for (int i = 0; i < 4; i++) sum += (u32)((s8)(x >> (8 * i)) * (s8)(y >> (8 * i)));
  return (s32)sum;
}
DEVICE u32 dot4u(u32 x, u32 y, u32 z) {
  for (int i = 0; i < 4; i++) z += (x >> (8 * i) & 0xff) * (y >> (8 * i) & 0xff);
  return z;
}
DEVICE s32 dot2(s32 x, s32 y, s32 z) {
  u32 sum = (u32)z;
  for (int i = 0; i < 2; i++) sum += (u32)((s16)(x >> (16 * i)) * (s8)(y >> (8 * i + 16)));
  return (s32)sum;
}
DEVICE u32 average(u32 x, u32 y) { return (u32)(((u64)x + y) >> 1); }
DEVICE s32 average_up(s32 x, s32 y) { return (s32)(((s64)x + y + 1) >> 1); }
#endif

FUNCTION(leading) { return leading32((u32)a) | (u64)leading64(b) << 32; }
FUNCTION(ones) { return ones32((u32)a) | (u64)ones64(b) << 32; }
FUNCTION(first) { return first32((u32)a); }
FUNCTION(mirrored) { return mirrored32((u32)a); }
FUNCTION(mirrored_long) { return mirrored64(a); }
FUNCTION(permutation) { return permuted((u32)a, (u32)b, (u32)c & 0x7777); }
FUNCTION(funnel_l) { return funnel_left((u32)a, (u32)b, (u32)c); }
FUNCTION(funnel_r) { return funnel_right((u32)a, (u32)b, (u32)c); }
FUNCTION(funnel_lc) { return funnel_left_clamped((u32)a, (u32)b, (u32)c); }
FUNCTION(funnel_rc) { return funnel_right_clamped((u32)a, (u32)b, (u32)c); }
FUNCTION(mul24u) { return product24((u32)a, (u32)b); }
FUNCTION(mul24s) { return (u64)product24_signed((s32)a, (s32)b); }
FUNCTION(sad) { return differences((s32)a, (s32)b, (u32)c); }
FUNCTION(dp4a_signed) { return (u64)dot4((s32)a, (s32)b, (s32)c); }
FUNCTION(dp4a_unsigned) { return dot4u((u32)a, (u32)b, (u32)c); }
FUNCTION(dp2a_high) { return (u64)dot2((s32)a, (s32)b, (s32)c); }
FUNCTION(averages) { return average((u32)a, (u32)b) ^ (u64)average_up((s32)b, (s32)c) << 32; }

// Loops and tables: control flow around the same operations.
FUNCTION(greatest_divisor) {
  u32 x = (u32)a, y = (u32)b;
  while (y) { u32 rest = x % y; x = y; y = rest; }
  return x;
}
FUNCTION(checksum) {
  u32 crc = ~0u;
  for (int i = 0; i < 8; i++) {
    crc ^= (u32)(a >> (8 * i)) & 0xff;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}
FUNCTION(integer_root) {
  u64 root = 0;
  for (u64 bit = 1ull << 31; bit; bit >>= 1) {
    if ((root | bit) * (root | bit) <= a) root |= bit;
  }
  return root;
}
FUNCTION(mixed) {
  u64 z = a + 0x9e3779b97f4a7c15ull * (b & 7);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
