// Tricubic interpolation as three loops of four, which the compiler unrolls;
// the sum is accumulated in the output array.
// launch: tricubic2 grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],150,7,6
// launch: tricubic2 grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],71,5,5
// launch: tricubic2 grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],95,5,5
// launch: tricubic2 grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],70,8,5
// launch: tricubic2 grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],30,8,8
#include "grid.h"

#define CUBIC(w, t)                                                            \
  float w[4] = {-0.16666667f * (t) * ((t) - 1.0f) * ((t) - 2.0f),              \
                0.5f * ((t) + 1.0f) * ((t) - 1.0f) * ((t) - 2.0f),             \
                -0.5f * ((t) + 1.0f) * (t) * ((t) - 2.0f),                     \
                0.16666667f * ((t) + 1.0f) * (t) * ((t) - 1.0f)};

extern "C" __global__ void __launch_bounds__(128)
tricubic2(const float *__restrict__ u0, float *__restrict__ u1,
          const float *__restrict__ a, const float *__restrict__ b,
          const float *__restrict__ c, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 1 || i >= nx - 2 || j < 1 || j >= ny - 2 || k < 1 || k >= nz - 2)
    return;
  CUBIC(wa, a[AT3(i, j, k)])
  CUBIC(wb, b[AT3(i, j, k)])
  CUBIC(wc, c[AT3(i, j, k)])
  u1[AT3(i, j, k)] = 0.0f;
#pragma unroll
  for (int dk = 0; dk < 4; ++dk)
#pragma unroll
    for (int dj = 0; dj < 4; ++dj)
#pragma unroll
      for (int di = 0; di < 4; ++di)
        u1[AT3(i, j, k)] += wa[di] * wb[dj] * wc[dk] *
                            u0[AT3(i + di - 1, j + dj - 1, k + dk - 1)];
}
