// 3-D gradient: each component is stored before the next is read.
// launch: gradient grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
// launch: gradient grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],f32[1775],0.5f,0.25f,0.125f,71,5,5
// launch: gradient grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],f32[2375],0.5f,0.25f,0.125f,95,5,5
// launch: gradient grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],f32[2800],0.5f,0.25f,0.125f,70,8,5
// launch: gradient grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],f32[1920],0.5f,0.25f,0.125f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
gradient(const float *__restrict__ u, float *__restrict__ ux,
         float *__restrict__ uy, float *__restrict__ uz, float cx, float cy,
         float cz, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1)
    return;
  ux[AT3(i, j, k)] = cx * (u[AT3(i + 1, j, k)] - u[AT3(i - 1, j, k)]);
  uy[AT3(i, j, k)] = cy * (u[AT3(i, j + 1, k)] - u[AT3(i, j - 1, k)]);
  uz[AT3(i, j, k)] = cz * (u[AT3(i, j, k + 1)] - u[AT3(i, j, k - 1)]);
}
