// Nine points of a row, on both sides of the first that is read.
// launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],200
// launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],256
// launch: k1c grid=2 block=48 args=f32[120]@8,f32[96],71
// launch: k1c grid=2 block=16,8 args=f32[60]@8,f32[256],32
// launch: k1c grid=1 block=8,8,4 args=f32[60]@8,f32[256],7
// launch: k1c grid=2 block=33,3 args=f32[100]@8,f32[198],60
#include "cell.h"

extern "C" __global__ void k1c(const float *__restrict__ a, float *__restrict__ out, int n) {
  int i = X;
  if (i >= n)
    return;
  out[CELL] = 0.5f * a[i] + 0.625f * a[i - 4] + 0.75f * a[i - 3] + 0.875f * a[i - 2] + 1.5f * a[i - 1] +
              1.125f * a[i + 1] + 1.25f * a[i + 2] + 1.375f * a[i + 3] + 1.75f * a[i + 4];
}
