// Jacobi, nine points: three rows of three. `a` is a field of ny rows of nx points.
// launch: k2 grid=2 block=128 args=f32[760],f32[256],250,3
// launch: k2 grid=2 block=48,2 args=f32[400],f32[192],80,4
// launch: k2 grid=2 block=16,8 args=f32[400],f32[256],33,10
// launch: k2 grid=1 block=8,8,4 args=f32[400],f32[256],10,34
// launch: k2 grid=2 block=33,3 args=f32[400],f32[198],60,5
#include "cell.h"

extern "C" __global__ void k2(const float *__restrict__ a, float *__restrict__ out, int nx, int ny) {
  int i = X;
  int j = ROW + 1;
  if (i < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  const float *c = a + j * nx + i;
  out[CELL] = 0.5f * c[0] + 0.25f * (c[-1] + c[1] + c[-nx] + c[nx]) +
              0.125f * (c[-nx - 1] + c[-nx + 1] + c[nx - 1] + c[nx + 1]);
}
