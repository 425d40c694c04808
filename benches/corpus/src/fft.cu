// Fourier transforms: passes of two and of four, in shared memory, reversal of bits, real parts.

__device__ float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 sub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

extern "C" __global__ void radix2(const float2 *__restrict__ in, float2 *__restrict__ out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (p - 1);
  if (i >= n / 2)
    return;
  float s, c;
  sincosf(-3.14159265f * k / p, &s, &c);
  float2 a = in[i], b = mul(in[i + n / 2], make_float2(c, s));
  int j = 2 * i - k;
  out[j] = add(a, b);
  out[j + p] = sub(a, b);
}

extern "C" __global__ void radix4(const float2 *__restrict__ in, float2 *__restrict__ out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (p - 1), quarter = n / 4;
  if (i >= quarter)
    return;
  float2 x[4];
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    float s, c;
    __sincosf(-1.57079633f * k * q / p, &s, &c);
    x[q] = mul(in[i + q * quarter], make_float2(c, s));
  }
  float2 a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]), d = sub(x[1], x[3]);
  int j = 4 * (i - k) + k;
  out[j] = add(a, c);
  out[j + p] = make_float2(b.x + d.y, b.y - d.x);
  out[j + 2 * p] = sub(a, c);
  out[j + 3 * p] = make_float2(b.x - d.y, b.y + d.x);
}

extern "C" __global__ void __launch_bounds__(256) block512(float2 *data) {
  __shared__ float2 x[512];
  float2 *own = data + blockIdx.x * 512;
  for (int k = threadIdx.x; k < 512; k += 256)
    x[__brev(k) >> 23] = own[k];
  for (int half = 1; half < 512; half *= 2) {
    __syncthreads();
    int k = threadIdx.x & (half - 1), at = 2 * (threadIdx.x - k) + k;
    float s, c;
    sincospif(-(float)k / half, &s, &c);
    float2 a = x[at], b = mul(x[at + half], make_float2(c, s));
    x[at] = add(a, b);
    x[at + half] = sub(a, b);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 512; k += 256)
    own[k] = x[k];
}

extern "C" __global__ void power(const double2 *__restrict__ in, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n / 2)
    out[i] = in[i].x * in[i].x + in[i].y * in[i].y + in[(n - i) % n].x;
}

extern "C" __global__ void smoothed(const float2 *__restrict__ in, float2 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) {
    float2 a = in[i - 1], b = in[i], c = in[i + 1];
    out[i] = make_float2((a.x + 2 * b.x + c.x) / 4, (a.y + 2 * b.y + c.y) / 4);
  }
}
