// Random numbers: shifts, a counter-based generator, pairs of normals, areas by chance.

__device__ unsigned step(unsigned &s) {
  s ^= s << 13;
  s ^= s >> 17;
  return s ^= s << 5;
}

extern "C" __global__ void circle(unsigned *hits, unsigned seed, int rounds) {
  unsigned s = seed + blockIdx.x * blockDim.x + threadIdx.x * 7919 + 1, found = 0;
  for (int k = 0; k < rounds; ++k) {
    float x = step(s) * 2.3283064e-10f, y = step(s) * 2.3283064e-10f;
    found += x * x + y * y < 1;
  }
  atomicAdd(hits, found);
}

extern "C" __global__ void counter(uint4 *out, uint2 key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint4 c = make_uint4(i, 0, 0, 0);
#pragma unroll
  for (int r = 0; r < 10; ++r) {
    unsigned a = __umulhi(0xD2511F53u, c.x), b = 0xD2511F53u * c.x, d = __umulhi(0xCD9E8D57u, c.z), e = 0xCD9E8D57u * c.z;
    c = make_uint4(d ^ c.y ^ key.x, e, a ^ c.w ^ key.y, b);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  out[i] = c;
}

extern "C" __global__ void normals(const float2 *__restrict__ in, float2 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float r = sqrtf(-2 * logf(in[i].x)), s, c;
    sincospif(2 * in[i].y, &s, &c);
    out[i] = make_float2(r * c, r * s);
  }
}

extern "C" __global__ void shuffled(unsigned long long *state, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long s = state[i] * 6364136223846793005ull + 1442695040888963407ull;
  state[i] = s;
  unsigned x = (unsigned)(((s >> 18) ^ s) >> 27), r = (unsigned)(s >> 59);
  out[i] = (double)((x >> r) | (x << (-r & 31))) * 0x1p-32;
}
