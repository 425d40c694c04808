// Reductions: trees in shared memory, warp shuffles, strides over the grid, several types and operations.

struct Sum {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Max {
  template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, typename F, int BLOCK> __device__ void tree(const T *in, T *out, int n, T zero, F f) {
  __shared__ T part[BLOCK];
  T own = zero;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    own = f(own, in[i]);
  part[threadIdx.x] = own;
  __syncthreads();
#pragma unroll
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] = f(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

extern "C" __global__ void sum_float(const float *in, float *out, int n) { tree<float, Sum, 256>(in, out, n, 0.f, Sum()); }
extern "C" __global__ void sum_double(const double *in, double *out, int n) { tree<double, Sum, 128>(in, out, n, 0., Sum()); }
extern "C" __global__ void max_int(const int *in, int *out, int n) { tree<int, Max, 512>(in, out, n, -2147483647, Max()); }
extern "C" __global__ void max_short(const short *in, short *out, int n) { tree<short, Max, 64>(in, out, n, (short)-32768, Max()); }

extern "C" __global__ void sum_warps(const float *__restrict__ in, float *out, int n) {
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own += in[i];
  for (int k = 16; k > 0; k /= 2)
    own += __shfl_down_sync(0xffffffff, own, k);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, own);
}

// Pairs of neighbours in one thread, and of one thread with the next.
extern "C" __global__ void sum_pairs(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = in[i] + in[i + 1];
}

extern "C" __global__ void minmax(const float2 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 a = in[i], b = in[i + n];
  out[i] = make_float2(fminf(a.x, b.x), fmaxf(a.y, b.y));
}

extern "C" __global__ void variance(const double *in, double *mean, double *square, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double m = 0, s = 0;
  for (int j = 0; j < columns; ++j) {
    double x = in[(long long)row * columns + j], d = x - m;
    m += d / (j + 1);
    s += d * (x - m);
  }
  mean[row] = m;
  square[row] = s / columns;
}
