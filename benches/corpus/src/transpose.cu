// Transposes: plain, by a tile in shared memory, of several types; rotations and mirrors.

template <typename T> __device__ void plain(const T *in, T *out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    out[i * ny + j] = in[j * nx + i];
}

template <typename T> __device__ void tiled(const T *in, T *out, int nx, int ny) {
  __shared__ T tile[32][33];
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (i < nx && j + k < ny)
      tile[threadIdx.y + k][threadIdx.x] = in[(j + k) * nx + i];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (i < ny && j + k < nx)
      out[(j + k) * ny + i] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void plain_float(const float *in, float *out, int nx, int ny) { plain(in, out, nx, ny); }
extern "C" __global__ void plain_char(const char *in, char *out, int nx, int ny) { plain(in, out, nx, ny); }
extern "C" __global__ void plain_double2(const double2 *in, double2 *out, int nx, int ny) { plain(in, out, nx, ny); }
extern "C" __global__ void tiled_float(const float *in, float *out, int nx, int ny) { tiled(in, out, nx, ny); }
extern "C" __global__ void tiled_double(const double *in, double *out, int nx, int ny) { tiled(in, out, nx, ny); }
extern "C" __global__ void tiled_short(const short *in, short *out, int nx, int ny) { tiled(in, out, nx, ny); }

extern "C" __global__ void mirror(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[n - 1 - i];
}

// Each pair of neighbours changes places.
extern "C" __global__ void swap_pairs(const int *__restrict__ in, int *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (n & ~1))
    out[i] = in[i ^ 1] - in[i];
}

extern "C" __global__ void rotate(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[(i + by) % n];
}
