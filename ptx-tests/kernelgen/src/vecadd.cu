// Sum of two arrays.
// launch: vecadd grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
vecadd(const float *__restrict__ w0, const float *__restrict__ w1,
       float *__restrict__ w2, int nx, int ny, int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
  if (i < nx && j < ny && k < nz)
    w2[AT3(i, j, k)] = w0[AT3(i, j, k)] + w1[AT3(i, j, k)];
}
