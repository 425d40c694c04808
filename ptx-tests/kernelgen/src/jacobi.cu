// One Jacobi sweep over a 3x3 neighbourhood: centre, edges, corners.
// launch: jacobi grid=2,7 block=128 args=f32[1050],f32[1050],0.5f,0.25f,0.125f,150,7
// launch: jacobi grid=2,5 block=48 args=f32[355],f32[355],0.5f,0.25f,0.125f,71,5
// launch: jacobi grid=1,5 block=100 args=f32[475],f32[475],0.5f,0.25f,0.125f,95,5
// launch: jacobi grid=5,2 block=16,8 args=f32[980],f32[980],0.5f,0.25f,0.125f,70,14
// launch: jacobi grid=2,3 block=33,3 args=f32[480],f32[480],0.5f,0.25f,0.125f,60,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
jacobi(const float *__restrict__ w0, float *__restrict__ w1, float c0,
       float c1, float c2, int nx, int ny) {
  int i = X;
  int j = Y;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
    return;
  w1[AT2(i, j)] = c0 * w0[AT2(i, j)] +
                  c1 * (w0[AT2(i - 1, j)] + w0[AT2(i, j - 1)] +
                        w0[AT2(i + 1, j)] + w0[AT2(i, j + 1)]) +
                  c2 * (w0[AT2(i - 1, j - 1)] + w0[AT2(i - 1, j + 1)] +
                        w0[AT2(i + 1, j - 1)] + w0[AT2(i + 1, j + 1)]);
}
