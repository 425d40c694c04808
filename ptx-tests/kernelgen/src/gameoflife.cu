// The game of life as a rational function: a cell is near 1 where its
// neighbour sum and own state say so, near 0 elsewhere.
// launch: gameoflife grid=2,7 block=128 args=f32[1050],f32[1050],150,7
// launch: gameoflife grid=2,5 block=48 args=f32[355],f32[355],71,5
// launch: gameoflife grid=1,5 block=100 args=f32[475],f32[475],95,5
// launch: gameoflife grid=5,2 block=16,8 args=f32[980],f32[980],70,14
// launch: gameoflife grid=2,3 block=33,3 args=f32[480],f32[480],60,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
gameoflife(const float *__restrict__ u0, float *__restrict__ u1, int nx,
           int ny) {
  const float C = 1e20f;
  int i = X;
  int j = Y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    float L = u0[AT2(i - 1, j - 1)] + u0[AT2(i, j - 1)] + u0[AT2(i + 1, j - 1)] +
              u0[AT2(i - 1, j)] + u0[AT2(i + 1, j)] + u0[AT2(i - 1, j + 1)] +
              u0[AT2(i, j + 1)] + u0[AT2(i + 1, j + 1)];
    u1[AT2(i, j)] =
        1.0f / (1.0f + (u0[AT2(i, j)] + L - 3.0f) * (L - 3.0f) * C);
  }
}
