// Leapfrog step of the wave equation, fourth order in space.
// launch: wave13pt grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],0.5f,0.25f,0.125f,150,7,6
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
wave13pt(const float *__restrict__ w0, const float *__restrict__ w1,
         float *__restrict__ w2, float c0, float c1, float c2, int nx, int ny,
         int nz) {
  int i = X;
  int j = blockIdx.y;
  int k = blockIdx.z;
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
