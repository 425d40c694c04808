// ptxasw: remarks
// llvm: yes
// A column for each thread becomes a row: loads of neighbours, stores a pitch apart. Its twin stores where an index says.
// launch: transpose_store grid=2 block=16 args=f32[1],f32[1]:zero,0,29
// launch: transpose_store grid=2 block=16 args=f32[29],f32[29]:zero,1,29
// launch: transpose_store grid=2 block=16 args=f32[87],f32[87]:zero,3,29
// launch: transpose_store grid=2 block=16 args=f32[116],f32[116]:zero,4,29
// launch: transpose_store grid=2 block=16 args=f32[145],f32[145]:zero,5,29
// launch: transpose_store grid=2 block=16 args=f32[203],f32[203]:zero,7,29
// launch: transpose_store grid=2 block=16 args=f32[232],f32[232]:zero,8,29
// launch: transpose_store grid=2 block=16 args=f32[261],f32[261]:zero,9,29
// launch: transpose_store grid=2 block=16 args=f32[609],f32[609]:zero,21,29
// launch: transpose_store_not grid=2 block=16 args=f32[1],u32[1]:ramp,f32[1]:zero,0
// launch: transpose_store_not grid=2 block=16 args=f32[101],u32[101]:ramp,f32[101]:zero,101
// launch: transpose_store_not grid=2 block=16 args=f32[265],u32[265]:ramp,f32[265]:zero,265
// launch: transpose_store_not grid=1 block=1 args=f32[40],u32[20]%10,same0@3,20
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void transpose_store(const float *RESTRICT x, float *RESTRICT y, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns)
    return;
  for (int row = 0; row < rows; ++row)
    y[column * rows + row] = x[row * columns + column];
}

extern "C" __global__ void transpose_store_not(const float *x, const int *to, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[to[i]] = x[i];
}
