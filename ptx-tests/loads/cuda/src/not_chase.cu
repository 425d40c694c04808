// ptxasw: remarks
// Cannot gain: a list is walked, so that each load needs the value of the one before, and what is stored is read by none.
// launch: not_chase grid=2 block=32 args=u32[64]%64,u32[256]:zero,60
// launch: not_chase grid=1 block=32 args=u32[33]%32:seed=9@1,u32[129]@1,32
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void not_chase(const unsigned *RESTRICT next, unsigned *RESTRICT visited, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
  if (i >= (unsigned)n)
    return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    at = next[at];
    visited[4 * i + k] = at;
  }
}
