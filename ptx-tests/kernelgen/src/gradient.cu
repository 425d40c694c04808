// 3-D gradient: each component is stored before the next is read.
// launch: gradient grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
gradient(const float *__restrict__ u, float *__restrict__ ux,
         float *__restrict__ uy, float *__restrict__ uz, float cx, float cy,
         float cz, int nx, int ny, int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1)
    return;
  ux[AT3(i, j, k)] = cx * (u[AT3(i + 1, j, k)] - u[AT3(i - 1, j, k)]);
  uy[AT3(i, j, k)] = cy * (u[AT3(i, j + 1, k)] - u[AT3(i, j - 1, k)]);
  uz[AT3(i, j, k)] = cz * (u[AT3(i, j, k + 1)] - u[AT3(i, j, k - 1)]);
}
