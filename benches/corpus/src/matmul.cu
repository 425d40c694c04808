// Products of matrices: plain, tiles in shared memory, blocks in registers, vectors of four, batches.

extern "C" __global__ void plain(const float *a, const float *b, float *c, int n, int m, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m)
    return;
  float sum = 0;
  for (int l = 0; l < k; ++l)
    sum += a[j * k + l] * b[l * n + i];
  c[j * n + i] = sum;
}

template <typename T, int SIZE> __device__ void tiled(const T *a, const T *b, T *c, int n) {
  __shared__ T left[SIZE][SIZE], right[SIZE][SIZE];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * SIZE + x, j = blockIdx.y * SIZE + y;
  T sum = 0;
  for (int l = 0; l < n; l += SIZE) {
    left[y][x] = a[j * n + l + x];
    right[y][x] = b[(l + y) * n + i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIZE; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[j * n + i] = sum;
}

extern "C" __global__ void tiled16_float(const float *a, const float *b, float *c, int n) { tiled<float, 16>(a, b, c, n); }
extern "C" __global__ void tiled32_float(const float *a, const float *b, float *c, int n) { tiled<float, 32>(a, b, c, n); }
extern "C" __global__ void tiled8_double(const double *a, const double *b, double *c, int n) { tiled<double, 8>(a, b, c, n); }

extern "C" __global__ void __launch_bounds__(256) blocked(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                                          int n, int k) {
  __shared__ float left[8][128 + 4], right[8][128];
  float sum[8][8] = {};
  int t = threadIdx.x, row = blockIdx.y * 128, column = blockIdx.x * 128;
  for (int l = 0; l < k; l += 8) {
    float4 x = *(const float4 *)&a[(row + t / 2) * k + l + t % 2 * 4];
    float4 y = *(const float4 *)&b[(l + t / 32) * n + column + t % 32 * 4];
    left[t % 2 * 4 + 0][t / 2] = x.x;
    left[t % 2 * 4 + 1][t / 2] = x.y;
    left[t % 2 * 4 + 2][t / 2] = x.z;
    left[t % 2 * 4 + 3][t / 2] = x.w;
    *(float4 *)&right[t / 32][t % 32 * 4] = y;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < 8; ++d) {
      float p[8], q[8];
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        p[e] = left[d][t / 16 * 8 + e];
        q[e] = right[d][t % 16 * 8 + e];
      }
#pragma unroll
      for (int e = 0; e < 8; ++e)
#pragma unroll
        for (int f = 0; f < 8; ++f)
          sum[e][f] += p[e] * q[f];
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < 8; ++e)
#pragma unroll
    for (int f = 0; f < 8; ++f)
      c[(row + t / 16 * 8 + e) * n + column + t % 16 * 8 + f] = sum[e][f];
}

extern "C" __global__ void batched(const float *const *a, const float *const *b, float *const *c, int n) {
  const float *x = a[blockIdx.z], *y = b[blockIdx.z];
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  float sum = 0;
  if (i < n) {
    for (int l = 0; l < n; ++l)
      sum += x[j * n + l] * y[l * n + i];
    c[blockIdx.z][j * n + i] = sum;
  }
}

// Many small ones, kept in registers.
extern "C" __global__ void small4(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double x[16], y[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    x[k] = a[16 * i + k];
    y[k] = b[i + k * count];
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int s = 0; s < 4; ++s)
      c[16 * i + 4 * r + s] = x[4 * r] * y[s] + x[4 * r + 1] * y[4 + s] + x[4 * r + 2] * y[8 + s] + x[4 * r + 3] * y[12 + s];
}

extern "C" __global__ void banded(const float *__restrict__ band, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 3 && i < n - 3) {
    float sum = 0;
#pragma unroll
    for (int d = -3; d <= 3; ++d)
      sum += band[(d + 3) * n + i] * x[i + d];
    y[i] = sum;
  }
}
