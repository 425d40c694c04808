// Seven-point Laplacian.
// launch: laplacian grid=2,7,6 block=128 args=f32[6300],f32[6300],0.5f,0.25f,150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
laplacian(const float *__restrict__ u0, float *__restrict__ u1, float alpha,
          float beta, int nx, int ny, int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
    u1[AT3(i, j, k)] =
        alpha * u0[AT3(i, j, k)] +
        beta * (u0[AT3(i - 1, j, k)] + u0[AT3(i + 1, j, k)] +
                u0[AT3(i, j - 1, k)] + u0[AT3(i, j + 1, k)] +
                u0[AT3(i, j, k - 1)] + u0[AT3(i, j, k + 1)]);
}
