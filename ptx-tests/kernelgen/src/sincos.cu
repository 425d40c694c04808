// Point by point: a sine of one array and a cosine of the other.
// launch: sincos_xy grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],150,7,6
// launch: sincos_xy grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],71,5,5
// launch: sincos_xy grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],95,5,5
// launch: sincos_xy grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],70,8,5
// launch: sincos_xy grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
sincos_xy(const float *__restrict__ x, const float *__restrict__ y,
          float *__restrict__ xy, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i >= nx || j >= ny || k >= nz)
    return;
  xy[AT3(i, j, k)] = sinf(x[AT3(i, j, k)]) + cosf(y[AT3(i, j, k)]);
}
