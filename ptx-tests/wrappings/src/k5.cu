// k1 with bytes.
// launch: k5 grid=2 block=128 args=u8[280]@8,u32[256],200
// launch: k5 grid=2 block=128 args=u8[280]@8,u32[256],256
// launch: k5 grid=2 block=48 args=u8[120]@8,u32[96],71
// launch: k5 grid=2 block=16,8 args=u8[60]@8,u32[256],32
// launch: k5 grid=1 block=8,8,4 args=u8[60]@8,u32[256],7
// launch: k5 grid=2 block=33,3 args=u8[100]@8,u32[198],60
#include "cell.h"

extern "C" __global__ void k5(const unsigned char *__restrict__ a, int *__restrict__ out, int n) {
  int i = X;
  if (i >= n)
    return;
  out[CELL] = 3 * a[i] + 5 * a[i + 1] + 7 * a[i + 2] + 11 * a[i + 3] + 13 * a[i + 4] + 17 * a[i + 5] +
              19 * a[i + 6] + 23 * a[i + 7] + 29 * a[i + 8];
}
