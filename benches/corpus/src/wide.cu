// Large kernels: boxes of many points, many fields at once, unrolled rows.

template <typename T, int RADIUS> __global__ void box(const T *__restrict__ in, const T *__restrict__ w, T *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < RADIUS || j < RADIUS || i >= nx - RADIUS || j >= ny - RADIUS)
    return;
  T sum = 0;
#pragma unroll
  for (int y = -RADIUS; y <= RADIUS; ++y)
#pragma unroll
    for (int x = -RADIUS; x <= RADIUS; ++x)
      sum += w[(y + RADIUS) * (2 * RADIUS + 1) + x + RADIUS] * in[(j + y) * nx + i + x];
  out[j * nx + i] = sum;
}
template __global__ void box<float, 3>(const float *, const float *, float *, int, int);
template __global__ void box<float, 7>(const float *, const float *, float *, int, int);
template __global__ void box<double, 5>(const double *, const double *, double *, int, int);

template <int FIELDS> __global__ void fields(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, k = blockIdx.z;
  if (i < 2 || i >= nx - 2 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1)
    return;
#pragma unroll
  for (int f = 0; f < FIELDS; ++f) {
    const float *p = in + ((f * nz + k) * ny + j) * nx + i;
    float dx = (8 * (p[1] - p[-1]) - p[2] + p[-2]) / 12, dy = p[nx] - p[-nx], dz = p[nx * ny] - p[-nx * ny];
    float xy = p[nx + 1] - p[nx - 1] - p[-nx + 1] + p[-nx - 1];
    out[((f * nz + k) * ny + j) * nx + i] = dx * dx + dy * dy + dz * dz + xy;
  }
}
template __global__ void fields<3>(const float *, float *, int, int, int);
template __global__ void fields<10>(const float *, float *, int, int, int);

template <int STEPS> __global__ void steps(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < STEPS || i >= n - STEPS)
    return;
  float u[2 * STEPS + 1];
#pragma unroll
  for (int k = 0; k <= 2 * STEPS; ++k)
    u[k] = in[i + k - STEPS];
#pragma unroll
  for (int s = STEPS; s > 0; --s)
#pragma unroll
    for (int k = STEPS - s + 1; k < STEPS + s; ++k)
      u[k] = 0.25f * (u[k - 1] + u[k + 1]) + 0.5f * u[k];
  out[i] = u[STEPS];
}
template __global__ void steps<4>(const float *, float *, int);
template __global__ void steps<12>(const float *, float *, int);

extern "C" __global__ void elastic(const float *__restrict__ vx, const float *__restrict__ vy, const float *__restrict__ vz, float *sxx, float *syy, float *szz, float *sxy,
                                   float *sxz, float *syz, const float *__restrict__ lambda, const float *__restrict__ mu, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 2 || j < 2 || i >= nx - 2 || j >= ny - 2)
    return;
  int plane = nx * ny;
  for (int k = 2; k < nz - 2; ++k) {
    int at = k * plane + j * nx + i;
#define D(v, s) (1.125f * (v[at + s] - v[at]) - 0.0416667f * (v[at + 2 * s] - v[at - s]))
    float xx = D(vx, 1), yy = D(vy, nx), zz = D(vz, plane), all = lambda[at] * (xx + yy + zz);
    sxx[at] += all + 2 * mu[at] * xx;
    syy[at] += all + 2 * mu[at] * yy;
    szz[at] += all + 2 * mu[at] * zz;
    sxy[at] += mu[at] * (D(vx, nx) + D(vy, 1));
    sxz[at] += mu[at] * (D(vx, plane) + D(vz, 1));
    syz[at] += mu[at] * (D(vy, plane) + D(vz, nx));
  }
}
