#include "grid.cuh"

// A weighted row of 3 points in single precision.
__global__ void row3(float *__restrict__ out, const float *__restrict__ in, int nx, int ny, int nz) {
  const float weights[3] = {float(0.500), float(1.000), float(0.500)};
  Field<const float> source{in, nx, ny, nz};
  Field<float> target{out, nx, ny, nz};
  Cell c = Cell::here();
  if (c.inside(source, 1)) target.at(c.i, c.j, c.k) = row<float, 1>(source, c, weights);
}
