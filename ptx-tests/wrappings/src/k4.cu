// k1 with 64-bit values.
// launch: k4 grid=2 block=128 args=f64[280]@8,f64[256],200
// launch: k4 grid=2 block=128 args=f64[280]@8,f64[256],256
// launch: k4 grid=2 block=48 args=f64[120]@8,f64[96],71
// launch: k4 grid=2 block=16,8 args=f64[60]@8,f64[256],32
// launch: k4 grid=1 block=8,8,4 args=f64[60]@8,f64[256],7
// launch: k4 grid=2 block=33,3 args=f64[100]@8,f64[198],60
#include "cell.h"

extern "C" __global__ void k4(const double *__restrict__ a, double *__restrict__ out, int n) {
  int i = X;
  if (i >= n)
    return;
  out[CELL] = 0.5 * a[i] + 0.625 * a[i + 1] + 0.75 * a[i + 2] + 0.875 * a[i + 3] + 1.5 * a[i + 4] +
              1.125 * a[i + 5] + 1.25 * a[i + 6] + 1.375 * a[i + 7] + 1.75 * a[i + 8];
}
