// ptxasw: remarks
// Rows of threads read columns with a grid's stride, by a division. Its twin adds to its own column what it has stored a row before.
// launch: transpose_load grid=2 block=16 args=f32[1],f32[1]:zero,0,29
// launch: transpose_load grid=2 block=16 args=f32[29],f32[29]:zero,1,29
// launch: transpose_load grid=2 block=16 args=f32[87],f32[87]:zero,3,29
// launch: transpose_load grid=2 block=16 args=f32[116],f32[116]:zero,4,29
// launch: transpose_load grid=2 block=16 args=f32[145],f32[145]:zero,5,29
// launch: transpose_load grid=2 block=16 args=f32[203],f32[203]:zero,7,29
// launch: transpose_load grid=2 block=16 args=f32[232],f32[232]:zero,8,29
// launch: transpose_load grid=2 block=16 args=f32[261],f32[261]:zero,9,29
// launch: transpose_load grid=2 block=16 args=f32[609],f32[609]:zero,21,29
// launch: transpose_load_not grid=2 block=16 args=f32[1],0,29
// launch: transpose_load_not grid=2 block=16 args=f32[29],1,29
// launch: transpose_load_not grid=2 block=16 args=f32[87],3,29
// launch: transpose_load_not grid=2 block=16 args=f32[116],4,29
// launch: transpose_load_not grid=2 block=16 args=f32[145],5,29
// launch: transpose_load_not grid=2 block=16 args=f32[203],7,29
// launch: transpose_load_not grid=2 block=16 args=f32[232],8,29
// launch: transpose_load_not grid=2 block=16 args=f32[261],9,29
// launch: transpose_load_not grid=2 block=16 args=f32[609],21,29
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void transpose_load(const float *RESTRICT x, float *RESTRICT y, int rows, int columns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += gridDim.x * blockDim.x) {
    int row = i / rows, column = i % rows;
    y[i] = x[column * columns + row];
  }
}

extern "C" __global__ void transpose_load_not(float *x, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns)
    return;
  for (int i = column + columns; i < rows * columns; i += columns)
    x[i] += x[i - columns];
}
