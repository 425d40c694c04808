// Constant memory: weights, tables of structures, tables with values, indices that differ by lane.

__constant__ float weights[81];
__constant__ int offsets[9][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
__constant__ double series[] = {1.0, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720};
struct Material {
  float density, speed;
  unsigned char colour[3];
  short id;
};
__constant__ Material materials[4] = {{1.f, 2.f, {1, 2, 3}, 7}, {3.f, 4.f, {4, 5, 6}, 8}, {0.5f, 0.25f, {255, 0, 128}, -1}};
__device__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ const char *names[] = {"zero", "one", "two"};

extern "C" __global__ void convolve9(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 4 || j < 4 || i >= nx - 4 || j >= ny - 4)
    return;
  float sum = 0;
#pragma unroll
  for (int y = -4; y <= 4; ++y)
#pragma unroll
    for (int x = -4; x <= 4; ++x)
      sum += weights[(y + 4) * 9 + x + 4] * in[(j + y) * nx + i + x];
  out[j * nx + i] = sum;
}

extern "C" __global__ void around(const int *__restrict__ in, int *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  int sum = 0;
  for (int k = 0; k < 9; ++k)
    sum += in[(j + offsets[k][1]) * nx + i + offsets[k][0]];
  out[j * nx + i] = sum;
}

extern "C" __global__ void polynomial(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], sum = 0;
  for (int k = 5; k >= 0; --k)
    sum = sum * x + series[k];
  out[i] = sum;
}

extern "C" __global__ void looked_up(const unsigned char *kind, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Material &m = materials[kind[i] & 3];
    out[i] = m.density * m.speed + m.colour[i % 3] + m.id + primes[i & 7] + names[i % 3][0];
  }
}

// A table in constant memory that lanes read as a row.
extern "C" __global__ void window(const float *__restrict__ in, float *__restrict__ out, int n) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n && t < 78)
    out[i] = in[i] * (weights[t] + weights[t + 1] + weights[t + 2]);
}
