// A product of matrices by tiles in shared memory.
template <typename T, int TILE>
__device__ void product(T *c, const T *a, const T *b, int n) {
  __shared__ T left[TILE][TILE], right[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, line = blockIdx.y * TILE + y;
  T sum = 0;
  for (int k = 0; k < n; k += TILE) {
    left[y][x] = a[line * n + k + x];
    right[y][x] = b[(k + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < TILE; m++) sum += left[y][m] * right[m][x];
    __syncthreads();
  }
  c[line * n + column] = sum;
}
__global__ void gemm_float(float *c, const float *a, const float *b, int n) { product<float, 16>(c, a, b, n); }
__global__ void gemm_double(double *c, const double *a, const double *b, int n) { product<double, 8>(c, a, b, n); }
