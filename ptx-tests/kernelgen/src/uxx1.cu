// Velocity update of an elastic wave: fourth-order differences of three
// stress components, divided by the mean density of four cells.
// launch: uxx1 grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.1f,150,7,6
// launch: uxx1 grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],0.5f,0.25f,0.1f,71,5,5
// launch: uxx1 grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],0.5f,0.25f,0.1f,95,5,5
// launch: uxx1 grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],0.5f,0.25f,0.1f,70,8,5
// launch: uxx1 grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],0.5f,0.25f,0.1f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
uxx1(const float *__restrict__ d1, const float *__restrict__ u0,
     float *__restrict__ u1, const float *__restrict__ xx,
     const float *__restrict__ xy, const float *__restrict__ xz, float c1,
     float c2, float dth, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 2 || i >= nx - 1 || j < 2 || j >= ny - 1 || k < 2 || k >= nz - 1)
    return;
  float d = 0.25f * (d1[AT3(i, j, k)] + d1[AT3(i, j - 1, k)] +
                     d1[AT3(i, j, k - 1)] + d1[AT3(i, j - 1, k - 1)]);
  u1[AT3(i, j, k)] =
      u0[AT3(i, j, k)] +
      dth / d *
          (c1 * (xx[AT3(i, j, k)] - xx[AT3(i - 1, j, k)]) +
           c2 * (xx[AT3(i + 1, j, k)] - xx[AT3(i - 2, j, k)]) +
           c1 * (xy[AT3(i, j, k)] - xy[AT3(i, j - 1, k)]) +
           c2 * (xy[AT3(i, j + 1, k)] - xy[AT3(i, j - 2, k)]) +
           c1 * (xz[AT3(i, j, k)] - xz[AT3(i, j, k - 1)]) +
           c2 * (xz[AT3(i, j, k + 1)] - xz[AT3(i, j, k - 2)]));
}
