// ptxasw: remarks
// Seven points along z, the two planes around carried in registers by hand. Its twin solves downwards in memory, plane by plane.
// launch: march grid=1 block=8,4 args=f32[120],f32[120]:zero,10,6,2
// launch: march grid=1 block=8,4 args=f32[180],f32[180]:zero,10,6,3
// launch: march grid=1 block=8,4 args=f32[300],f32[300]:zero,10,6,5
// launch: march grid=1 block=8,4 args=f32[360],f32[360]:zero,10,6,6
// launch: march grid=1 block=8,4 args=f32[420],f32[420]:zero,10,6,7
// launch: march grid=1 block=8,4 args=f32[540],f32[540]:zero,10,6,9
// launch: march grid=1 block=8,4 args=f32[600],f32[600]:zero,10,6,10
// launch: march grid=1 block=8,4 args=f32[660],f32[660]:zero,10,6,11
// launch: march grid=1 block=8,4 args=f32[1380],f32[1380]:zero,10,6,23
// launch: march_not grid=2 block=16 args=f32[1],10,3,0
// launch: march_not grid=2 block=16 args=f32[30],10,3,1
// launch: march_not grid=2 block=16 args=f32[90],10,3,3
// launch: march_not grid=2 block=16 args=f32[120],10,3,4
// launch: march_not grid=2 block=16 args=f32[150],10,3,5
// launch: march_not grid=2 block=16 args=f32[210],10,3,7
// launch: march_not grid=2 block=16 args=f32[240],10,3,8
// launch: march_not grid=2 block=16 args=f32[270],10,3,9
// launch: march_not grid=2 block=16 args=f32[630],10,3,21
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void march(const float *RESTRICT x, float *RESTRICT y, int width, int height, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= width - 1 || j >= height - 1)
    return;
  int plane = width * height, at = plane + j * width + i;
  float below = x[at - plane], here = x[at];
  for (int k = 1; k < depth - 1; ++k, at += plane) {
    float above = x[at + plane];
    y[at] = below + above + x[at - 1] + x[at + 1] + x[at - width] + x[at + width] - 6.0f * here;
    below = here;
    here = above;
  }
}

extern "C" __global__ void march_not(float *x, int width, int height, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int plane = width * height;
  if (i >= plane)
    return;
  for (int k = 1, at = plane + i; k < depth; ++k, at += plane)
    x[at] = x[at] - 0.5f * x[at - plane];
}
