// ptxasw: remarks
// Unsigned indices whose sum with four steps wraps, while the loop's own do not. Its twin has an inner loop by what it has read, which may not end.
// launch: grid_far grid=2 block=16 args=u32[1],u32[32]:zero,7,7
// launch: grid_far grid=2 block=16 args=u32[33],u32[32]:zero,7,40
// launch: grid_far grid=2 block=16 args=u32[101],u32[32]:zero,7,108
// launch: grid_far grid=2 block=16 args=u32[131],u32[32]:zero,7,138
// launch: grid_far grid=2 block=16 args=u32[233],u32[32]:zero,7,240
// launch: grid_far grid=2 block=16 args=u32[265],u32[32]:zero,7,272
// launch: grid_far grid=2 block=16 args=u32[647],u32[32]:zero,7,654
// launch: grid_far grid=2 block=16 args=u32[480],u32[32]:zero,0xfffffe00,0xffffffe0
// launch: grid_far grid=2 block=16 args=u32[463],u32[32]:zero,0xfffffe00,0xffffffcf
// launch: grid_far_not grid=2 block=16 args=u32[1]%100,u32[32]:zero,0
// launch: grid_far_not grid=2 block=16 args=u32[101]%100,u32[32]:zero,101
// launch: grid_far_not grid=2 block=16 args=u32[265]%100,u32[32]:zero,265

extern "C" __global__ void grid_far(const unsigned *x, unsigned *out, unsigned first, unsigned n) {
  unsigned bits = 0;
  for (unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    bits = bits * 31 + x[i - first];
  out[blockIdx.x * blockDim.x + threadIdx.x] = bits;
}

extern "C" __global__ void grid_far_not(const unsigned *x, unsigned *out, unsigned n) {
  unsigned steps = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (unsigned value = x[i]; value > 1; ++steps)
      value = value & 1 ? 3 * value + 1 : value / 2;
  out[blockIdx.x * blockDim.x + threadIdx.x] = steps;
}
