#include "grid.cuh"

// A separable 5 x 5 blur of bytes, clamped at the edges.
__device__ int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

__global__ void blur(unsigned char *__restrict__ out, const unsigned char *__restrict__ in, int nx, int ny) {
  const int weights[5] = {1, 4, 6, 4, 1};
  Cell c = Cell::here();
  if (c.i >= nx || c.j >= ny) return;
  int sum = 0;
  for (int dj = -2; dj <= 2; dj++)
    for (int di = -2; di <= 2; di++)
      sum += weights[di + 2] * weights[dj + 2] * in[clamped(c.j + dj, ny) * nx + clamped(c.i + di, nx)];
  out[c.j * nx + c.i] = (unsigned char)(sum / 256);
}
