// Long straight code: digests, checksums, ciphers.

__device__ unsigned turn(unsigned x, int k) { return x >> k | x << (32 - k); }

__constant__ unsigned rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

extern "C" __global__ void sha(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
  for (int k = 0; k < 16; ++k)
    w[k] = __byte_perm(in[16 * i + k], 0, 0x0123);
#pragma unroll
  for (int k = 16; k < 64; ++k)
    w[k] = w[k - 16] + (turn(w[k - 15], 7) ^ turn(w[k - 15], 18) ^ w[k - 15] >> 3) + w[k - 7] + (turn(w[k - 2], 17) ^ turn(w[k - 2], 19) ^ w[k - 2] >> 10);
  unsigned a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    unsigned t = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[k] + w[k];
    unsigned u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
  }
  out[8 * i] = s[0] + a, out[8 * i + 1] = s[1] + b, out[8 * i + 2] = s[2] + c, out[8 * i + 3] = s[3] + d;
  out[8 * i + 4] = s[4] + e, out[8 * i + 5] = s[5] + f, out[8 * i + 6] = s[6] + g, out[8 * i + 7] = s[7] + h;
}

extern "C" __global__ void checksums(const unsigned char *in, const unsigned *__restrict__ table, unsigned *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned c = ~0u;
  for (int k = 0; k < length; ++k)
    c = table[(c ^ in[i * length + k]) & 255] ^ c >> 8;
  out[i] = ~c;
}

// Words of a message that overlap: every thread hashes a window of its own.
extern "C" __global__ void rolling(const unsigned char *__restrict__ in, unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 16)
    return;
  unsigned h = 2166136261u;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    h = (h ^ in[i + k]) * 16777619u;
  out[i] = h;
}

extern "C" __global__ void tea(uint2 *data, uint4 key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint2 v = data[i];
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    sum += 0x9e3779b9u;
    v.x += ((v.y << 4) + key.x) ^ (v.y + sum) ^ ((v.y >> 5) + key.y);
    v.y += ((v.x << 4) + key.z) ^ (v.x + sum) ^ ((v.x >> 5) + key.w);
  }
  data[i] = v;
}
