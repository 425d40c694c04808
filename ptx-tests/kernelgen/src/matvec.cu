// Matrix times vector, added to y; x runs along the rows of the matrix.
// launch: matvec grid=2 block=128 args=f32[1050],f32[7],f32[150],150,7
// launch: matvec grid=2 block=48 args=f32[355],f32[5],f32[71],71,5
// launch: matvec grid=1 block=100 args=f32[475],f32[5],f32[95],95,5
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
matvec(const float *__restrict__ A, const float *__restrict__ x,
       float *__restrict__ y, int nx, int ny) {
  int j = X;
  if (j >= nx)
    return;
  float sum = y[j];
#pragma unroll 2
  for (int i = 0; i < ny; ++i)
    sum += A[i * nx + j] * x[i];
  y[j] = sum;
}
