// ptxasw: remarks
// A row for each thread, summed up. Its twin ends the row at the first negative element.
// launch: row_sum grid=2 block=16 args=f32[1],f32[29]:zero,29,0
// launch: row_sum grid=2 block=16 args=f32[29],f32[29]:zero,29,1
// launch: row_sum grid=2 block=16 args=f32[87],f32[29]:zero,29,3
// launch: row_sum grid=2 block=16 args=f32[116],f32[29]:zero,29,4
// launch: row_sum grid=2 block=16 args=f32[145],f32[29]:zero,29,5
// launch: row_sum grid=2 block=16 args=f32[203],f32[29]:zero,29,7
// launch: row_sum grid=2 block=16 args=f32[232],f32[29]:zero,29,8
// launch: row_sum grid=2 block=16 args=f32[261],f32[29]:zero,29,9
// launch: row_sum grid=2 block=16 args=f32[609],f32[29]:zero,29,21
// launch: row_sum_not grid=2 block=16 args=f32[1],f32[29]:zero,29,0
// launch: row_sum_not grid=2 block=16 args=f32[87],f32[29]:zero,29,3
// launch: row_sum_not grid=2 block=16 args=f32[261],f32[29]:zero,29,9

extern "C" __global__ void row_sum(const float *x, float *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += x[row * columns + k];
  out[row] = sum;
}

extern "C" __global__ void row_sum_not(const float *x, float *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < columns && x[row * columns + k] >= 0; ++k)
    sum += x[row * columns + k];
  out[row] = sum;
}
