// What a warp does together: votes, matches, shuffles, sums; and operations on bits.

extern "C" __global__ void votes(const int *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;
  unsigned b = __ballot_sync(~0u, x > 0), lane = threadIdx.x & 31;
  out[i] = b + __popc(b & ((1u << lane) - 1)) + __any_sync(~0u, x > 9) + __all_sync(~0u, x > -9);
}

extern "C" __global__ void exchanges(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i < n ? i : 0];
  x += __shfl_sync(~0u, x, (threadIdx.x + 1) & 31);
  x += __shfl_up_sync(~0u, x, 1, 8);
  x += __shfl_xor_sync(~0u, x, 5);
  if (i < n)
    out[i] = x;
}

#if __CUDA_ARCH__ >= 700
extern "C" __global__ void matches(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all;
  unsigned x = in[i < n ? i : 0], m = __match_any_sync(~0u, x), w = __match_all_sync(~0u, x, &all);
  __nanosleep(10);
  if (i < n)
    out[i] = m ^ w ^ __activemask() ^ all;
}
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void sums(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i < n ? in[i] : 0;
  out[i] = __reduce_add_sync(~0u, x) + __reduce_max_sync(~0u, x) + __reduce_xor_sync(~0u, x);
}
#endif

extern "C" __global__ void bits(const unsigned *in, unsigned long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i];
  out[i] = __popc(x) + __clz(x) + __ffs(x) + __brev(x) + __byte_perm(x, ~x, 0x2541) + __funnelshift_l(x, ~x, 7) + __funnelshift_rc(x, x, 40) + __vadd4(x, 0x01020304) +
           __vmaxu2(x, ~x) + __sad((int)x, 5, 6u) + __mul24(x, 3) + __umulhi(x, x) + __popcll(x * 5ull) + __clzll(x) + __rhadd((int)x, 3);
#if __CUDA_ARCH__ >= 610
  out[i] += __dp4a((int)x, 0x01010101, 3) + __dp2a_lo((int)x, 0x01010101, 3);
#endif
}

// A kernel that shuffles by itself, and has rows besides.
extern "C" __global__ void row_and_sum(const float *__restrict__ in, float *__restrict__ out, float *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  if (i >= 1 && i < n - 1) {
    x = in[i - 1] + in[i] + in[i + 1];
    out[i] = x;
  }
  for (int k = 16; k > 0; k /= 2)
    x += __shfl_down_sync(~0u, x, k);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(total, x);
}
