// The game of life as a rational function: a cell is near 1 where its
// neighbour sum and own state say so, near 0 elsewhere.
// launch: gameoflife grid=2,7 block=128 args=f32[1050],f32[1050],150,7
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
gameoflife(const float *__restrict__ u0, float *__restrict__ u1, int nx,
           int ny) {
  const float C = 1e20f;
  int i = X;
  int j = blockIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    float L = u0[AT2(i - 1, j - 1)] + u0[AT2(i, j - 1)] + u0[AT2(i + 1, j - 1)] +
              u0[AT2(i - 1, j)] + u0[AT2(i + 1, j)] + u0[AT2(i - 1, j + 1)] +
              u0[AT2(i, j + 1)] + u0[AT2(i + 1, j + 1)];
    u1[AT2(i, j)] =
        1.0f / (1.0f + (u0[AT2(i, j)] + L - 3.0f) * (L - 3.0f) * C);
  }
}
