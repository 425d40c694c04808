#include "grid.cuh"

// The wave equation with a fourth-order Laplacian, marching in z.
__global__ void wave(float *__restrict__ next, const float *__restrict__ now, const float *__restrict__ last, int nx, int ny, int nz) {
  Field<const float> u{now, nx, ny, nz};
  Cell c = Cell::here();
  if (c.i < 2 || c.i >= nx - 2 || c.j < 2 || c.j >= ny - 2) return;
  for (int k = 2; k < nz - 2; k++) {
    float sum = -7.5f * u.at(c.i, c.j, k);
#pragma unroll
    for (int n = 1; n <= 2; n++) {
      float weight = n == 1 ? 1.333333f : -0.083333f;
      sum += weight * (u.at(c.i - n, c.j, k) + u.at(c.i + n, c.j, k) + u.at(c.i, c.j - n, k) + u.at(c.i, c.j + n, k) +
                       u.at(c.i, c.j, k - n) + u.at(c.i, c.j, k + n));
    }
    int at = (k * ny + c.j) * nx + c.i;
    next[at] = 2 * now[at] - last[at] + 0.1f * sum;
  }
}
