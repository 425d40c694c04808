// ptxasw: remarks
// A sum with a grid's stride over unsigned indices, and its test at the top. Its twin ends where the time is up.
// launch: grid_unsigned grid=2 block=16 args=u32[1],u32[32]:zero,0
// launch: grid_unsigned grid=2 block=16 args=u32[33],u32[32]:zero,33
// launch: grid_unsigned grid=2 block=16 args=u32[101],u32[32]:zero,101
// launch: grid_unsigned grid=2 block=16 args=u32[131],u32[32]:zero,131
// launch: grid_unsigned grid=2 block=16 args=u32[233],u32[32]:zero,233
// launch: grid_unsigned grid=2 block=16 args=u32[265],u32[32]:zero,265
// launch: grid_unsigned grid=2 block=16 args=u32[647],u32[32]:zero,647
// launch: grid_unsigned_not grid=2 block=16 args=u32[1],u32[32]:zero,0,0xffffffff
// launch: grid_unsigned_not grid=2 block=16 args=u32[101],u32[32]:zero,101,0xffffffff
// launch: grid_unsigned_not grid=2 block=16 args=u32[265],u32[32]:zero,265,0xffffffff

extern "C" __global__ void grid_unsigned(const unsigned *x, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, bits = 0;
  while (true) {
    if (i >= n)
      break;
    bits ^= x[i] * 2654435761u;
    i += gridDim.x * blockDim.x;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = bits;
}

extern "C" __global__ void grid_unsigned_not(const unsigned *x, unsigned *out, unsigned n, unsigned most) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, bits = 0, start = clock();
  while (i < n && (unsigned)clock() - start <= most) {
    bits ^= x[i] * 2654435761u;
    i += gridDim.x * blockDim.x;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = bits;
}
