// Loops and branches of every sort: early ends, continues, jumps, two-way joins, unrolled remains.

extern "C" __global__ void both_ways(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 2)
    return;
  if (a[i] > 0)
    b[i] = a[i + 1] + a[i + 2];
  else
    b[i] = a[i + 1] * a[i + 2];
}

extern "C" __global__ void joins(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  if (i < n - 1)
    x = a[i] + a[i + 1];
  if (i >= 1 && i < n)
    x += a[i - 1];
  if (i < n)
    b[i] = x;
}

extern "C" __global__ void stride_rows(const float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 2; i += gridDim.x * blockDim.x)
    b[i] = a[i] + 2 * a[i + 1] + a[i + 2];
}

extern "C" __global__ void stride_rows_long(const double *__restrict__ a, double *__restrict__ b, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i + 2 < n; i += gridDim.x * (size_t)blockDim.x)
    b[i] = a[i] + 2 * a[i + 1] + a[i + 2];
}

extern "C" __global__ void ends_early(const int *__restrict__ a, int *__restrict__ b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < m; ++k) {
    int x = a[i + k];
    if (x < 0)
      break;
    if (x == 7)
      continue;
    sum += x + a[i + k + 1];
  }
  b[i] = sum;
}

extern "C" __global__ void jumps(const int *__restrict__ a, int *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x, rounds = 0;
  if (i >= n)
    goto end;
  x = a[i];
again:
  x = x & 1 ? 3 * x + 1 : x / 2;
  if (++rounds < 100 && x > 1)
    goto again;
  b[i] = rounds;
end:;
}

extern "C" __global__ void nests(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1)
    return;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      float sum = 0;
      for (int d = -r; d <= r; ++d)
        if (j + d >= 0 && j + d < ny) {
          const float *p = a + (k * ny + j + d) * nx + i;
          sum += p[-1] + p[0] + p[1];
        }
      b[(k * ny + j) * nx + i] = sum;
    }
}

extern "C" __global__ void counts_down(const float *__restrict__ a, float *__restrict__ b, unsigned n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n)
    return;
  float sum = 0;
  for (unsigned k = m; k-- > 0;)
    sum = sum * 0.5f + a[k * n + i] - a[k * n + i + 1];
  b[i] = sum;
}

// Each thread a piece of its own: neighbours in time, not among lanes.
extern "C" __global__ void pieces(const float *__restrict__ a, float *__restrict__ b, int n, int size) {
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * size;
  for (int k = from; k < from + size && k < n - 1; ++k)
    b[k] = a[k] + a[k + 1];
}

extern "C" __global__ void halves_of_warps(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  if (threadIdx.x & 16)
    b[i] = a[i] + a[i + 1];
  else
    b[i] = a[i] - a[i + 1];
}
