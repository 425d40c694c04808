// 3-D divergence of a vector field by central differences.
// launch: divergence grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
// launch: divergence grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],f32[1775],0.5f,0.25f,0.125f,71,5,5
// launch: divergence grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],f32[2375],0.5f,0.25f,0.125f,95,5,5
// launch: divergence grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],f32[2800],0.5f,0.25f,0.125f,70,8,5
// launch: divergence grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],f32[1920],0.5f,0.25f,0.125f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
divergence(float *__restrict__ u1, const float *__restrict__ ux,
           const float *__restrict__ uy, const float *__restrict__ uz,
           float cx, float cy, float cz, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1)
    return;
  u1[AT3(i, j, k)] = cx * (ux[AT3(i + 1, j, k)] - ux[AT3(i - 1, j, k)]) +
                     cy * (uy[AT3(i, j + 1, k)] - uy[AT3(i, j - 1, k)]) +
                     cz * (uz[AT3(i, j, k + 1)] - uz[AT3(i, j, k - 1)]);
}
