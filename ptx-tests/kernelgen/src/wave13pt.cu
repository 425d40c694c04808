// Leapfrog step of the wave equation, fourth order in space.
// launch: wave13pt grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
// launch: wave13pt grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],0.5f,0.25f,0.125f,71,5,5
// launch: wave13pt grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],0.5f,0.25f,0.125f,95,5,5
// launch: wave13pt grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],0.5f,0.25f,0.125f,70,8,5
// launch: wave13pt grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],0.5f,0.25f,0.125f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
wave13pt(const float *__restrict__ w0, const float *__restrict__ w1,
         float *__restrict__ w2, float c0, float c1, float c2, int nx, int ny,
         int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
#define W(di, dj, dk) w1[AT3(i + (di), j + (dj), k + (dk))]
  w2[AT3(i, j, k)] =
      c0 * W(0, 0, 0) - w0[AT3(i, j, k)] +
      c1 * (W(1, 0, 0) + W(-1, 0, 0) + W(0, 1, 0) + W(0, -1, 0) + W(0, 0, 1) +
            W(0, 0, -1)) +
      c2 * (W(2, 0, 0) + W(-2, 0, 0) + W(0, 2, 0) + W(0, -2, 0) + W(0, 0, 2) +
            W(0, 0, -2));
}
