// Differences on grids: heat, waves, lattice gas, fields, advection, red and black, several layouts and types.

#define INDEX                                                                                                                                                  \
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;                                                                    \
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)                                                                                                            \
    return;                                                                                                                                                    \
  int at = j * nx + i

extern "C" __global__ void heat2(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, float r) {
  INDEX;
  v[at] = u[at] + r * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] - 4 * u[at]);
}

extern "C" __global__ void heat2_double(const double *__restrict__ u, double *__restrict__ v, long nx, long ny, double r) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x, j = blockIdx.y * (long)blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  const double *p = u + j * nx + i;
  v[j * nx + i] = p[0] + r * (p[-1] + p[1] + p[-nx] + p[nx] - 4 * p[0]);
}

extern "C" __global__ void heat3(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, int nz, float r) {
  INDEX;
  int plane = nx * ny;
  for (int k = 1; k < nz - 1; ++k) {
    const float *p = u + k * plane + at;
    v[k * plane + at] = p[0] + r * (p[-1] + p[1] + p[-nx] + p[nx] + p[-plane] + p[plane] - 6 * p[0]);
  }
}

extern "C" __global__ void march8(const float *__restrict__ u, float *__restrict__ v, const float *__restrict__ c, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 4 || j < 4 || i >= nx - 4 || j >= ny - 4)
    return;
  int plane = nx * ny, at = 4 * plane + j * nx + i;
  float z[9];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    z[k + 1] = u[at + (k - 4) * plane];
  for (int k = 4; k < nz - 4; ++k, at += plane) {
#pragma unroll
    for (int d = 0; d < 8; ++d)
      z[d] = z[d + 1];
    z[8] = u[at + 4 * plane];
    float sum = c[0] * z[4];
#pragma unroll
    for (int d = 1; d <= 4; ++d)
      sum += c[d] * (u[at - d] + u[at + d] + u[at - d * nx] + u[at + d * nx] + z[4 - d] + z[4 + d]);
    v[at] = sum;
  }
}

extern "C" __global__ void lattice(const float *__restrict__ f, float *__restrict__ g, int nx, int ny, float omega) {
  INDEX;
  int n = nx * ny;
  float a[9];
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
#pragma unroll
  for (int q = 0; q < 9; ++q)
    a[q] = f[q * n + (j - dy[q]) * nx + i - dx[q]];
  float rho = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7] + a[8];
  float ux = (a[1] + a[5] + a[8] - a[3] - a[6] - a[7]) / rho, uy = (a[2] + a[5] + a[6] - a[4] - a[7] - a[8]) / rho, u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    float e = 3 * (dx[q] * ux + dy[q] * uy), w = q == 0 ? 4.f / 9 : q < 5 ? 1.f / 9 : 1.f / 36;
    g[q * n + at] = a[q] + omega * (w * rho * (1 + e + 0.5f * e * e - u2) - a[q]);
  }
}

extern "C" __global__ void yee_h(const float *__restrict__ ez, float *hx, float *hy, int nx, int ny, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1) {
    int at = j * nx + i;
    hx[at] -= c * (ez[at + nx] - ez[at]);
    hy[at] += c * (ez[at + 1] - ez[at]);
  }
}

extern "C" __global__ void yee_e(float *ez, const float *__restrict__ hx, const float *__restrict__ hy, int nx, int ny, float c) {
  INDEX;
  ez[at] += c * (hy[at] - hy[at - 1] - hx[at] + hx[at - nx]);
}

extern "C" __global__ void upwind(const float *__restrict__ u, const float *__restrict__ w, float *__restrict__ v, int nx, int ny, float r) {
  INDEX;
  float speed = w[at];
  v[at] = u[at] - r * speed * (speed > 0 ? u[at] - u[at - 1] : u[at + 1] - u[at]);
}

extern "C" __global__ void red_black(float *u, const float *__restrict__ f, int nx, int ny, int colour) {
  INDEX;
  if (((i + j) & 1) == colour)
    u[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] - f[at]);
}

extern "C" __global__ void torus(const int *__restrict__ u, int *__restrict__ v, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  int left = (i + nx - 1) % nx, right = (i + 1) % nx, up = (j + ny - 1) % ny, down = (j + 1) % ny;
  int sum = u[up * nx + left] + u[up * nx + i] + u[up * nx + right] + u[j * nx + left] + u[j * nx + right] + u[down * nx + left] + u[down * nx + i] +
            u[down * nx + right];
  v[j * nx + i] = sum == 3 || (sum == 2 && u[j * nx + i]);
}

extern "C" __global__ void weno(const double *__restrict__ u, double *__restrict__ flux, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2)
    return;
  double a = u[i - 2], b = u[i - 1], c = u[i], d = u[i + 1], e = u[i + 2];
  double p = (2 * a - 7 * b + 11 * c) / 6, q = (-b + 5 * c + 2 * d) / 6, r = (2 * c + 5 * d - e) / 6;
  double x = a - 2 * b + c, y = b - 2 * c + d, z = c - 2 * d + e;
  double s = 1e-6 + x * x, t = 1e-6 + y * y, w = 1e-6 + z * z;
  s = 0.1 / (s * s);
  t = 0.6 / (t * t);
  w = 0.3 / (w * w);
  flux[i] = (s * p + t * q + w * r) / (s + t + w);
}

extern "C" __global__ void blocks_of_rows(const float *__restrict__ u, float *__restrict__ v, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1)
    return;
  for (int j = blockIdx.y * 8; j < blockIdx.y * 8 + 8 && j < ny; ++j)
    v[j * nx + i] = 0.25f * u[j * nx + i - 1] + 0.5f * u[j * nx + i] + 0.25f * u[j * nx + i + 1];
}
