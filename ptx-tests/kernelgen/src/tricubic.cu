// Tricubic interpolation over 4x4x4 points, written out.
// launch: tricubic grid=2,7,6 block=128 args=f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],150,7,6
// launch: tricubic grid=2,5,5 block=48 args=f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],71,5,5
// launch: tricubic grid=1,5,5 block=100 args=f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],95,5,5
// launch: tricubic grid=5,1,5 block=16,8 args=f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],70,8,5
// launch: tricubic grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],30,8,8
#include "grid.h"

#define CUBIC(w, t)                                                            \
  float w##0 = -0.16666667f * (t) * ((t) - 1.0f) * ((t) - 2.0f);               \
  float w##1 = 0.5f * ((t) + 1.0f) * ((t) - 1.0f) * ((t) - 2.0f);              \
  float w##2 = -0.5f * ((t) + 1.0f) * (t) * ((t) - 2.0f);                      \
  float w##3 = 0.16666667f * ((t) + 1.0f) * (t) * ((t) - 1.0f);

extern "C" __global__ void __launch_bounds__(128)
tricubic(const float *__restrict__ u0, float *__restrict__ u1,
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
#define U(di, dj, dk) u0[AT3(i + (di), j + (dj), k + (dk))]
  float p0 =
      wb0 * (wa0 * U(-1, -1, -1) + wa1 * U(0, -1, -1) + wa2 * U(1, -1, -1) + wa3 * U(2, -1, -1)) +
      wb1 * (wa0 * U(-1, 0, -1) + wa1 * U(0, 0, -1) + wa2 * U(1, 0, -1) + wa3 * U(2, 0, -1)) +
      wb2 * (wa0 * U(-1, 1, -1) + wa1 * U(0, 1, -1) + wa2 * U(1, 1, -1) + wa3 * U(2, 1, -1)) +
      wb3 * (wa0 * U(-1, 2, -1) + wa1 * U(0, 2, -1) + wa2 * U(1, 2, -1) + wa3 * U(2, 2, -1));
  float p1 =
      wb0 * (wa0 * U(-1, -1, 0) + wa1 * U(0, -1, 0) + wa2 * U(1, -1, 0) + wa3 * U(2, -1, 0)) +
      wb1 * (wa0 * U(-1, 0, 0) + wa1 * U(0, 0, 0) + wa2 * U(1, 0, 0) + wa3 * U(2, 0, 0)) +
      wb2 * (wa0 * U(-1, 1, 0) + wa1 * U(0, 1, 0) + wa2 * U(1, 1, 0) + wa3 * U(2, 1, 0)) +
      wb3 * (wa0 * U(-1, 2, 0) + wa1 * U(0, 2, 0) + wa2 * U(1, 2, 0) + wa3 * U(2, 2, 0));
  float p2 =
      wb0 * (wa0 * U(-1, -1, 1) + wa1 * U(0, -1, 1) + wa2 * U(1, -1, 1) + wa3 * U(2, -1, 1)) +
      wb1 * (wa0 * U(-1, 0, 1) + wa1 * U(0, 0, 1) + wa2 * U(1, 0, 1) + wa3 * U(2, 0, 1)) +
      wb2 * (wa0 * U(-1, 1, 1) + wa1 * U(0, 1, 1) + wa2 * U(1, 1, 1) + wa3 * U(2, 1, 1)) +
      wb3 * (wa0 * U(-1, 2, 1) + wa1 * U(0, 2, 1) + wa2 * U(1, 2, 1) + wa3 * U(2, 2, 1));
  float p3 =
      wb0 * (wa0 * U(-1, -1, 2) + wa1 * U(0, -1, 2) + wa2 * U(1, -1, 2) + wa3 * U(2, -1, 2)) +
      wb1 * (wa0 * U(-1, 0, 2) + wa1 * U(0, 0, 2) + wa2 * U(1, 0, 2) + wa3 * U(2, 0, 2)) +
      wb2 * (wa0 * U(-1, 1, 2) + wa1 * U(0, 1, 2) + wa2 * U(1, 1, 2) + wa3 * U(2, 1, 2)) +
      wb3 * (wa0 * U(-1, 2, 2) + wa1 * U(0, 2, 2) + wa2 * U(1, 2, 2) + wa3 * U(2, 2, 2));
  u1[AT3(i, j, k)] = wc0 * p0 + wc1 * p1 + wc2 * p2 + wc3 * p3;
}
