// k1 as an `if` with a join behind: all threads store. One product more than k1, or ptxas makes predicates of the `if`.
// launch: k6 grid=2 block=128 args=f32[280]@8,f32[256],200
// launch: k6 grid=2 block=128 args=f32[280]@8,f32[256],256
// launch: k6 grid=2 block=48 args=f32[120]@8,f32[96],71
// launch: k6 grid=2 block=16,8 args=f32[60]@8,f32[256],32
// launch: k6 grid=1 block=8,8,4 args=f32[60]@8,f32[256],7
// launch: k6 grid=2 block=33,3 args=f32[100]@8,f32[198],60
#include "cell.h"

extern "C" __global__ void k6(const float *__restrict__ a, float *__restrict__ out, int n) {
  int i = X;
  float sum = -1.0f;
  if (i < n) {
    sum = 0.5f * a[i] + 0.625f * a[i + 1] + 0.75f * a[i + 2] + 0.875f * a[i + 3] + 1.5f * a[i + 4] +
          1.125f * a[i + 5] + 1.25f * a[i + 6] + 1.375f * a[i + 7] + 1.75f * a[i + 8];
    sum = fmaf(sum, sum, 0.3f);
  }
  out[CELL] = sum;
}
