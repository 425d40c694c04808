// Point by point: a sine of one array and a cosine of the other.
// launch: sincos_xy grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
sincos_xy(const float *__restrict__ x, const float *__restrict__ y,
          float *__restrict__ xy, int nx, int ny, int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
  if (i >= nx || j >= ny || k >= nz)
    return;
  xy[AT3(i, j, k)] = sinf(x[AT3(i, j, k)]) + cosf(y[AT3(i, j, k)]);
}
