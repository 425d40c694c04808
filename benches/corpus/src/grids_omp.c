/* OpenMP target: rows, planes, reductions, filters, atomics, functions of the device. */

#pragma omp declare target
static float mean(const float *p, int stride) { return (p[-stride] + p[0] + p[stride]) / 3; }
__attribute__((noinline)) float bend(const float *p, int stride) { return p[-stride] - 2 * p[0] + p[stride]; }
#pragma omp end declare target

void wave(const float *restrict u, const float *restrict v, float *restrict w, float c, int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3) is_device_ptr(u, v, w)
  for (int k = 1; k < nz - 1; ++k)
    for (int j = 1; j < ny - 1; ++j)
      for (int i = 1; i < nx - 1; ++i) {
        long at = ((long)k * ny + j) * nx + i;
        w[at] = 2 * u[at] - v[at] + c * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny] - 6 * u[at]);
      }
}

double total(const double *x, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) is_device_ptr(x) map(tofrom : sum)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}

void filter(const short *restrict in, short *restrict out, int n) {
#pragma omp target teams distribute parallel for is_device_ptr(in, out)
  for (int i = 2; i < n - 2; ++i)
    out[i] = (in[i - 2] + 4 * in[i - 1] + 6 * in[i] + 4 * in[i + 1] + in[i + 2]) / 16;
}

void means(const float *in, float *out, int nx, int ny) {
#pragma omp target teams distribute is_device_ptr(in, out)
  for (int j = 1; j < ny - 1; ++j) {
#pragma omp parallel for
    for (int i = 1; i < nx - 1; ++i)
      out[j * nx + i] = mean(in + j * nx + i, 1) + bend(in + j * nx + i, nx);
  }
}

void histogram(const unsigned char *in, unsigned *bins, int n) {
#pragma omp target teams distribute parallel for is_device_ptr(in, bins)
  for (int i = 0; i < n - 1; ++i) {
#pragma omp atomic
    bins[in[i] ^ in[i + 1]]++;
  }
}
