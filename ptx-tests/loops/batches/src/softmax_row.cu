// ptxasw: remarks
// The largest element of a row and the sum of exponentials, one thread for a row. Its twin asks the warp in each iteration whether any lane grew.
// launch: softmax_row grid=2 block=16 args=f32[1],f32[1]:zero,0
// launch: softmax_row grid=2 block=16 args=f32[32],f32[32]:zero,1
// launch: softmax_row grid=2 block=16 args=f32[96],f32[96]:zero,3
// launch: softmax_row grid=2 block=16 args=f32[128],f32[128]:zero,4
// launch: softmax_row grid=2 block=16 args=f32[160],f32[160]:zero,5
// launch: softmax_row grid=2 block=16 args=f32[224],f32[224]:zero,7
// launch: softmax_row grid=2 block=16 args=f32[256],f32[256]:zero,8
// launch: softmax_row grid=2 block=16 args=f32[288],f32[288]:zero,9
// launch: softmax_row grid=2 block=16 args=f32[672],f32[672]:zero,21
// launch: softmax_row_not grid=1 block=32 args=f32[1],f32[32]:zero,0
// launch: softmax_row_not grid=1 block=32 args=f32[96],f32[32]:zero,3
// launch: softmax_row_not grid=1 block=32 args=f32[288],f32[32]:zero,9
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void softmax_row(const float *RESTRICT x, float *RESTRICT y, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  x += row * columns, y += row * columns;
  float largest = -3.0f, sum = 0;
  for (int k = 0; k < columns; ++k) {
    float before = largest;
    largest = fmaxf(largest, x[k]);
    sum = sum * __expf(before - largest) + __expf(x[k] - largest);
  }
  float scale = 1.0f / sum;
  for (int k = 0; k < columns; ++k)
    y[k] = __expf(x[k] - largest) * scale;
}

extern "C" __global__ void softmax_row_not(const float *RESTRICT x, float *RESTRICT y, int columns) {
  float largest = -3.0f;
  for (int k = 0; k < columns; ++k) {
    float value = x[k * 32 + threadIdx.x];
    if (__any_sync(0xffffffff, value > largest))
      largest = fmaxf(largest, value) + 0.125f;
  }
  y[threadIdx.x] = largest;
}
