// ptxasw: remarks
// A recursive filter along the columns of an image: each result needs the one of the row before; no two pointers are known apart.
// launch: recursive grid=2 block=32 args=f32[640],f32[640]:zero,0.5f,64,10
// launch: recursive grid=1 block=64 args=f32[208]@1,f32[208]@1,0.25f,23,9
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void recursive(const float *RESTRICT x, float *RESTRICT y, float a, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width)
    return;
  float last = 0.0f;
#pragma unroll 4
  for (int row = 0; row < height; ++row) {
    last = (1.0f - a) * x[row * width + column] + a * last;
    y[row * width + column] = last;
  }
}
