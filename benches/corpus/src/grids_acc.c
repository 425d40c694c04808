/* OpenACC: rows, planes, reductions, filters, private arrays, sequential inner loops. */

void wave(const float *restrict u, const float *restrict v, float *restrict w, float c, int nx, int ny, int nz) {
#pragma acc parallel loop gang collapse(2) vector_length(32) deviceptr(u, v, w)
  for (int k = 1; k < nz - 1; ++k)
    for (int j = 1; j < ny - 1; ++j) {
#pragma acc loop vector
      for (int i = 1; i < nx - 1; ++i) {
        long at = ((long)k * ny + j) * nx + i;
        w[at] = 2 * u[at] - v[at] + c * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny] - 6 * u[at]);
      }
    }
}

double total(const double *restrict x, int n) {
  double sum = 0;
#pragma acc parallel loop reduction(+ : sum) deviceptr(x)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}

void filter(const short *restrict in, short *restrict out, int n) {
#pragma acc parallel loop gang worker vector deviceptr(in, out)
  for (int i = 2; i < n - 2; ++i)
    out[i] = (in[i - 2] + 4 * in[i - 1] + 6 * in[i] + 4 * in[i + 1] + in[i + 2]) / 16;
}

void product(const float *restrict a, const float *restrict b, float *restrict c, int n) {
#pragma acc parallel loop gang deviceptr(a, b, c)
  for (int i = 0; i < n; ++i) {
#pragma acc loop worker vector
    for (int j = 0; j < n; ++j) {
      float sum = 0;
#pragma acc loop seq
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

void median(const unsigned char *restrict in, unsigned char *restrict out, int nx, int ny) {
#pragma acc parallel loop collapse(2) deviceptr(in, out)
  for (int j = 1; j < ny - 1; ++j)
    for (int i = 1; i < nx - 1; ++i) {
      int a = in[j * nx + i - 1], b = in[j * nx + i], c = in[j * nx + i + 1];
      int low = a < b ? a : b, high = a < b ? b : a;
      out[j * nx + i] = c < low ? low : c > high ? high : c;
    }
}
