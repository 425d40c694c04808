// 3-D divergence of a vector field by central differences.
// launch: divergence grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
divergence(float *__restrict__ u1, const float *__restrict__ ux,
           const float *__restrict__ uy, const float *__restrict__ uz,
           float cx, float cy, float cz, int nx, int ny, int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1)
    return;
  u1[AT3(i, j, k)] = cx * (ux[AT3(i + 1, j, k)] - ux[AT3(i - 1, j, k)]) +
                     cy * (uy[AT3(i, j + 1, k)] - uy[AT3(i, j - 1, k)]) +
                     cz * (uz[AT3(i, j, k + 1)] - uz[AT3(i, j, k - 1)]);
}
