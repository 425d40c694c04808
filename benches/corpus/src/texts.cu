// Bytes and words of texts: searches, runs, counts, codes, distances.

typedef unsigned char byte;

extern "C" __global__ void search(const char *__restrict__ text, const char *__restrict__ word, int *__restrict__ found, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - length)
    return;
  int k = 0;
  while (k < length && text[i + k] == word[k])
    ++k;
  found[i] = k == length;
}

extern "C" __global__ void search4(const char *__restrict__ text, int *__restrict__ found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 3)
    found[i] = text[i] == 'w' & text[i + 1] == 'a' & text[i + 2] == 'r' & text[i + 3] == 'p';
}

extern "C" __global__ void line_ends(const byte *__restrict__ text, byte *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = text[i] == '\r' && text[i + 1] == '\n' ? ' ' : text[i];
}

extern "C" __global__ void code_points(const byte *text, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int starts = __syncthreads_count(i < n && (text[i] & 0xc0) != 0x80);
  if (threadIdx.x == 0)
    atomicAdd(count, starts);
}

extern "C" __global__ void base64(const byte *__restrict__ in, char *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (3 * i + 2 >= n)
    return;
  unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  for (int k = 0; k < 4; ++k) {
    unsigned d = v >> (18 - 6 * k) & 63;
    out[4 * i + k] = d < 26 ? 'A' + d : d < 52 ? 'a' + d - 26 : d < 62 ? '0' + d - 52 : d == 62 ? '+' : '/';
  }
}

extern "C" __global__ void shift_and(const byte *__restrict__ text, const unsigned *__restrict__ masks, unsigned *__restrict__ out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  unsigned state = 0, hits = 0;
  for (int k = 0; k < 32 && i + k < n; ++k) {
    state = (state << 1 | 1) & masks[text[i + k]];
    hits |= (state >> 31) << k;
  }
  out[i / 32] = hits;
}

extern "C" __global__ void bigrams(const unsigned short *__restrict__ in, unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = in[i] | (unsigned)in[i + 1] << 16;
}

extern "C" __global__ void unaligned(const byte *__restrict__ in, unsigned long long *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 8)
    return;
  unsigned long long v = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    v |= (unsigned long long)in[i + k] << 8 * k;
  out[i] = v;
}
