// Three points of a row in a grid-stride loop, whose trip count differs from lane to lane.
// launch: k3 grid=2 block=128 args=f32[700]@1,f32[700],698
// launch: k3 grid=2 block=128 args=f32[700]@1,f32[700],640
// launch: k3 grid=2 block=48 args=f32[300]@1,f32[300],200
// launch: k3 grid=1 block=33 args=f32[120]@1,f32[120],100
#include "cell.h"

extern "C" __global__ void k3(const float *__restrict__ a, float *__restrict__ out, int n) {
#pragma unroll 1
  for (int i = X; i < n; i += gridDim.x * blockDim.x)
    out[i] = 0.5f * a[i] + 0.25f * a[i - 1] + 0.125f * a[i + 1];
}
