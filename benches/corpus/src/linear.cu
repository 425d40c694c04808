// Linear algebra: sparse products in three formats, dots, triangular and tridiagonal systems, steps of decompositions.

extern "C" __global__ void csr(const int *__restrict__ start, const int *__restrict__ column, const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y,
                               int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

extern "C" __global__ void ell(const int *__restrict__ column, const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    int c = column[k * rows + row];
    if (c >= 0)
      sum += value[k * rows + row] * x[c];
  }
  y[row] = sum;
}

extern "C" __global__ void diagonals(const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = value[n + i] * x[i];
  if (i > 0)
    sum += value[i] * x[i - 1];
  if (i < n - 1)
    sum += value[2 * n + i] * x[i + 1];
  y[i] = sum;
}

extern "C" __global__ void coo(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    atomicAdd(&y[row[k]], value[k] * x[column[k]]);
}

extern "C" __global__ void lu_step(float *a, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1, i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
}

extern "C" __global__ void cholesky16(double *a, int count) {
  __shared__ double m[16][17];
  double *own = a + blockIdx.x * 256;
  int i = threadIdx.x, j = threadIdx.y;
  m[j][i] = own[j * 16 + i];
  for (int k = 0; k < 16; ++k) {
    __syncthreads();
    if (i == k && j == k)
      m[k][k] = sqrt(m[k][k]);
    __syncthreads();
    if (i == k && j > k)
      m[j][k] /= m[k][k];
    __syncthreads();
    if (i > k && j >= i)
      m[j][i] -= m[j][k] * m[i][k];
  }
  __syncthreads();
  own[j * 16 + i] = j >= i ? m[j][i] : 0;
}

// Cyclic reduction in parallel: rows of a tridiagonal system eliminate their neighbours.
extern "C" __global__ void reduction(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, const float *__restrict__ d, float *__restrict__ p,
                                     float *__restrict__ q, int n, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s || i >= n - s)
    return;
  float k = a[i] / b[i - s], l = c[i] / b[i + s];
  p[i] = b[i] - c[i - s] * k - a[i + s] * l;
  q[i] = d[i] - d[i - s] * k - d[i + s] * l;
}

extern "C" __global__ void neighbours_eliminated(const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, const double *__restrict__ d,
                                                 double *__restrict__ p, double *__restrict__ q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  double k = a[i] / b[i - 1], l = c[i] / b[i + 1];
  p[i] = b[i] - c[i - 1] * k - a[i + 1] * l;
  q[i] = d[i] - d[i - 1] * k - d[i + 1] * l;
}

extern "C" __global__ void givens(float *a, int n, int row, float c, float s) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    float x = a[row * n + j], y = a[(row + 1) * n + j];
    a[row * n + j] = c * x + s * y;
    a[(row + 1) * n + j] = c * y - s * x;
  }
}

extern "C" __global__ void complex_axpy(double2 a, const double2 *__restrict__ x, double2 *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double2 v = x[i], w = y[i];
    y[i] = make_double2(w.x + a.x * v.x - a.y * v.y, w.y + a.x * v.y + a.y * v.x);
  }
}
