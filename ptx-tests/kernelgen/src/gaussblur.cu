// 5x5 blur with six weights, one per distance from the centre.
// launch: gaussblur grid=2,7 block=128 args=f32[1050],f32[1050],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,150,7
// launch: gaussblur grid=2,5 block=48 args=f32[355],f32[355],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,71,5
// launch: gaussblur grid=1,5 block=100 args=f32[475],f32[475],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,95,5
// launch: gaussblur grid=5,2 block=16,8 args=f32[980],f32[980],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,70,14
// launch: gaussblur grid=2,3 block=33,3 args=f32[480],f32[480],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,60,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
gaussblur(const float *__restrict__ w0, float *__restrict__ w1, float s0,
          float s1, float s2, float s4, float s5, float s8, int nx, int ny) {
  int i = X;
  int j = Y;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2)
    return;
  float f = 1.0f / (s0 + 4.0f * (s1 + s2 + s4 + s8) + 8.0f * s5);
#define W(di, dj) w0[AT2(i + (di), j + (dj))]
  w1[AT2(i, j)] =
      f * (s0 * W(0, 0) + s1 * (W(-1, 0) + W(1, 0) + W(0, -1) + W(0, 1)) +
           s2 * (W(-1, -1) + W(1, -1) + W(-1, 1) + W(1, 1)) +
           s4 * (W(-2, 0) + W(2, 0) + W(0, -2) + W(0, 2)) +
           s5 * (W(-2, -1) + W(-1, -2) + W(1, -2) + W(2, -1) + W(-2, 1) +
                 W(-1, 2) + W(1, 2) + W(2, 1)) +
           s8 * (W(-2, -2) + W(2, -2) + W(-2, 2) + W(2, 2)));
}
