// Matrix product; x runs along a row of C, the k loop is sequential and its
// length a multiple of four, so that the unrolled loop needs no remainder.
// launch: matmul grid=2,5 block=128 args=f32[60],f32[1800],f32[750],150,5,3
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
matmul(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int nx, int ny, int blocks) {
  int i = X;
  int j = blockIdx.y;
  if (i >= nx || j >= ny)
    return;
  int depth = 4 * blocks;
  float sum = 0.0f;
  for (int k = 0; k != depth; ++k)
    sum += A[j * depth + k] * B[k * nx + i];
  C[AT2(i, j)] = sum;
}
