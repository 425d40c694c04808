#include "grid.cuh"

// Gradients of an image by Sobel's operator.
__global__ void sobel(float *__restrict__ out, const float *__restrict__ in, int nx, int ny) {
  Field<const float> image{in, nx, ny, 1};
  Cell c = Cell::here();
  if (!c.inside(image, 1)) return;
  float gx = 0, gy = 0;
#pragma unroll
  for (int d = -1; d <= 1; d++) {
    float weight = d == 0 ? 2.0f : 1.0f;
    gx += weight * (image.at(c.i + 1, c.j + d) - image.at(c.i - 1, c.j + d));
    gy += weight * (image.at(c.i + d, c.j + 1) - image.at(c.i + d, c.j - 1));
  }
  out[c.j * nx + c.i] = sqrtf(gx * gx + gy * gy);
}
