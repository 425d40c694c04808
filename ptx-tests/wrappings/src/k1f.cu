// k1 without its guard, and with an index that can't wrap: all threads of the grid have nine points.
// launch: k1f grid=2 block=128 args=f32[280]@8,f32[256]
// launch: k1f grid=2 block=48 args=f32[120]@8,f32[96]
// launch: k1f grid=2 block=16,8 args=f32[60]@8,f32[256]
// launch: k1f grid=1 block=8,8,4 args=f32[60]@8,f32[256]
// launch: k1f grid=2 block=33,3 args=f32[100]@8,f32[198]
#include "cell.h"

extern "C" __global__ void k1f(const float *__restrict__ a, float *__restrict__ out) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  out[CELL] = 0.5f * a[i] + 0.625f * a[i + 1] + 0.75f * a[i + 2] + 0.875f * a[i + 3] + 1.5f * a[i + 4] +
              1.125f * a[i + 5] + 1.25f * a[i + 6] + 1.375f * a[i + 7] + 1.75f * a[i + 8];
}
