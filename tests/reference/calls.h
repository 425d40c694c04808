// Calls: functions that are not inlined, recursion, pointers to functions, virtual functions, structures by value, and
// tables with initial values.
#pragma once

#if BY_HOST
#define OUTLINE static __attribute__((noinline))
#define MEMBER __attribute__((noinline))
#define TABLE static
#define CONSTANT static const
#elif BY_NVCC
#define OUTLINE __device__ __attribute__((noinline))
#define MEMBER __device__ __attribute__((noinline))
#define TABLE __device__
#define CONSTANT __constant__
#else
#define OUTLINE __device__ __attribute__((noinline))
#define MEMBER __device__ __attribute__((noinline))
#define TABLE __device__
#define CONSTANT __attribute__((constant))
#endif

OUTLINE u64 mixed(u64 a, u64 b) { return (a ^ b >> 7) * 0x9e3779b97f4a7c15; }
OUTLINE u8 narrow(u8 a, s8 b) { return (u8)(a * 3 + b); }
OUTLINE s16 short_of(s16 a, u16 b) { return (s16)(a - b); }
OUTLINE float half_sum(float a, float b) { return 0.5f * (a + b); }
OUTLINE double half_difference(double a, double b) { return 0.5 * (a - b); }
OUTLINE bool less(s64 a, s64 b) { return a < b; }

FUNCTION(call_words) { return mixed(mixed(a, b), c); }
FUNCTION(call_narrow) { return narrow((u8)a, (s8)b) | (u64)(u16)short_of((s16)b, (u16)c) << 8; }
FUNCTION(call_float) { return bits_of(half_sum(f32_of(a), f32_of(b))); }
FUNCTION(call_double) { return bits_of(half_difference(f64_of(a), f64_of(b))); }
FUNCTION(call_predicate) { return less((s64)a, (s64)b) ? c : ~c; }
FUNCTION(call_on_one_side) {
  u64 sum = a;
  if (b & 1) sum += mixed(b, c);
  else if (c & 2) sum ^= mixed(c, a);
  return sum;
}

// Recursion: in one function, and between two; each activation keeps values over its calls.
OUTLINE u64 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
OUTLINE u64 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, (u32)ackermann(m, n - 1));
}
OUTLINE bool is_odd(u32 n);
OUTLINE bool is_even(u32 n) { return n == 0 || is_odd(n - 1); }
OUTLINE bool is_odd(u32 n) { return n != 0 && is_even(n - 1); }
OUTLINE u32 depth_first(u64 tree, u32 node) {
  if (node >= 64 || !(tree >> node & 1)) return 0;
  u32 kept[3] = {node, node * 3, 1};
  kept[tree & 1] += depth_first(tree, 2 * node + 1);
  kept[2] += depth_first(tree, 2 * node + 2);
  return kept[0] + kept[1] * 5 + kept[2] * 7;
}

FUNCTION(recursion) { return fibonacci(a % 9); }
FUNCTION(recursion_nested) { return ackermann(a % 3, b % 4); }
FUNCTION(recursion_mutual) { return is_even(a % 19) | is_odd(b % 11) << 1; }
FUNCTION(recursion_with_arrays) { return depth_first(a | 1, 0); }

// Structures by value, in and out.
struct Pair { u32 first; u64 second; };
struct Bytes { u8 of[11]; };
struct Floats { float x, y, z, w; };
OUTLINE Pair exchanged(Pair pair) { return {(u32)pair.second, pair.second ^ pair.first}; }
OUTLINE Bytes reversed(Bytes bytes) {
  Bytes result;
  for (int i = 0; i < 11; ++i) result.of[i] = bytes.of[10 - i];
  return result;
}
OUTLINE Floats turned(Floats v, float by) { return {v.y * by, v.z, v.w, v.x - by}; }

FUNCTION(structure) {
  Pair pair = exchanged(exchanged({(u32)a, b}));
  return pair.first * c + pair.second;
}
FUNCTION(structure_of_bytes) {
  Bytes bytes;
  for (int i = 0; i < 8; ++i) bytes.of[i] = (u8)(a >> 8 * i);
  for (int i = 8; i < 11; ++i) bytes.of[i] = (u8)(b >> 8 * (i - 8));
  bytes = reversed(bytes);
  u64 sum = 0;
  for (int i = 0; i < 11; ++i) sum = sum * 31 + bytes.of[i];
  return sum;
}
FUNCTION(structure_of_floats) {
  Floats v = {f32_of(a), f32_of(a >> 32), f32_of(b), f32_of(b >> 32)};
  v = turned(turned(v, 2.0f), f32_of(c));
  return bits_of(v.x) ^ bits_of(v.y) << 8 ^ bits_of(v.z) << 16 ^ bits_of(v.w) << 24;
}

// Pointers to functions, from a table and from a choice.
typedef u64 (*Binary)(u64, u64);
OUTLINE u64 sum_of(u64 a, u64 b) { return a + b; }
OUTLINE u64 product_of(u64 a, u64 b) { return a * b; }
OUTLINE u64 folded(u64 a, u64 b) { return (a >> 32 ^ a) + (b & 0xff); }
TABLE Binary binaries[] = {sum_of, product_of, folded, mixed};
OUTLINE u64 applied(Binary f, u64 a, u64 b) { return f(f(a, b), b); }

FUNCTION(pointer_from_table) { return binaries[a & 3](b, c); }
FUNCTION(pointer_chosen) { return (a & 1 ? sum_of : folded)(b, c); }
FUNCTION(pointer_passed) { return applied(binaries[c & 3], a, b); }

// Virtual functions.
struct Shape {
  u64 size;
  MEMBER Shape(u64 size) : size(size) {}
  MEMBER virtual u64 area() const { return size; }
  MEMBER virtual u64 edge(u64 by) const { return size + by; }
};
struct Square : Shape {
  MEMBER Square(u64 size) : Shape(size) {}
  MEMBER u64 area() const override { return size * size; }
};
struct Ring : Square {
  u64 hole;
  MEMBER Ring(u64 size, u64 hole) : Square(size), hole(hole) {}
  MEMBER u64 area() const override { return Square::area() - hole; }
  MEMBER u64 edge(u64 by) const override { return hole * by; }
};
OUTLINE u64 measured(const Shape &shape, u64 by) { return shape.area() ^ shape.edge(by); }

FUNCTION(virtual_functions) {
  Shape shape(b);
  Square square(b);
  Ring ring(b, c);
  const Shape *shapes[] = {&shape, &square, &ring};
  return measured(*shapes[a % 3], c);
}

// Tables: numbers of all widths, nested and partial lists, structures, text, addresses.
struct Entry { u8 kind; s16 offset; float scale; double exact; };
CONSTANT u32 primes[8] = {2, 3, 5, 7, 11, 13};
CONSTANT s16 matrix[3][4] = {{1, -2}, {3, 4, 5, -6}};
TABLE Entry entries[4] = {{1, -300, 0.5f, 1e-3}, {2, 20}, {3, 7, -1.5f, 3.25}};
TABLE u64 words64[3] = {0x123456789abcdef0, 1};
TABLE u64 *places[2] = {&words64[1], words64};
TABLE const char *names[3] = {"zero", "one", "many"};

FUNCTION(table_of_words) { return primes[a & 7] * b; }
FUNCTION(table_of_rows) { return (u64)(s64)matrix[a % 3][b & 3]; }
FUNCTION(table_of_structures) {
  const Entry &entry = entries[a & 3];
  return bits_of(entry.scale) ^ bits_of(entry.exact) ^ (u64)(s64)entry.offset << 3 ^ entry.kind;
}
FUNCTION(table_of_addresses) { return places[a & 1][b & 1]; }
FUNCTION(table_of_texts) {
  u64 hash = 0;
  for (const char *c = names[a % 3]; *c; ++c) hash = hash * 257 + (u8)*c;
  return hash;
}
