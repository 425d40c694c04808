// Seven-point Laplacian.
// launch: laplacian grid=2,7,6 block=128 args=f32[6300],f32[6300],0.5f,0.25f,150,7,6
// launch: laplacian grid=2,5,5 block=48 args=f32[1775],f32[1775],0.5f,0.25f,71,5,5
// launch: laplacian grid=1,5,5 block=100 args=f32[2375],f32[2375],0.5f,0.25f,95,5,5
// launch: laplacian grid=5,1,5 block=16,8 args=f32[2800],f32[2800],0.5f,0.25f,70,8,5
// launch: laplacian grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],0.5f,0.25f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
laplacian(const float *__restrict__ u0, float *__restrict__ u1, float alpha,
          float beta, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
    u1[AT3(i, j, k)] =
        alpha * u0[AT3(i, j, k)] +
        beta * (u0[AT3(i - 1, j, k)] + u0[AT3(i + 1, j, k)] +
                u0[AT3(i, j - 1, k)] + u0[AT3(i, j + 1, k)] +
                u0[AT3(i, j, k - 1)] + u0[AT3(i, j, k + 1)]);
}
