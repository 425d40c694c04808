// Matrix product; x runs along a row of C, the k loop is sequential and its
// length a multiple of four, so that the unrolled loop needs no remainder.
// launch: matmul grid=2,5 block=128 args=f32[60],f32[1800],f32[750],150,5,3
// launch: matmul grid=2,5 block=48 args=f32[60],f32[852],f32[355],71,5,3
// launch: matmul grid=1,5 block=100 args=f32[60],f32[1140],f32[475],95,5,3
// launch: matmul grid=5,2 block=16,8 args=f32[168],f32[840],f32[980],70,14,3
// launch: matmul grid=2,3 block=33,3 args=f32[96],f32[720],f32[480],60,8,3
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
matmul(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int nx, int ny, int blocks) {
  int i = X;
  int j = Y;
  if (i >= nx || j >= ny)
    return;
  int depth = 4 * blocks;
  float sum = 0.0f;
  for (int k = 0; k != depth; ++k)
    sum += A[j * depth + k] * B[k * nx + i];
  C[AT2(i, j)] = sum;
}
