// ptxasw: remarks
// Back substitution: rows from the last to the first, a pointer that goes down by a pitch, in memory. Its twin's row depends on the one before.
// launch: backward_rows grid=1 block=32 args=f32[1],f32[1],0,29
// launch: backward_rows grid=1 block=32 args=f32[29],f32[29],1,29
// launch: backward_rows grid=1 block=32 args=f32[87],f32[87],3,29
// launch: backward_rows grid=1 block=32 args=f32[116],f32[116],4,29
// launch: backward_rows grid=1 block=32 args=f32[145],f32[145],5,29
// launch: backward_rows grid=1 block=32 args=f32[203],f32[203],7,29
// launch: backward_rows grid=1 block=32 args=f32[232],f32[232],8,29
// launch: backward_rows grid=1 block=32 args=f32[261],f32[261],9,29
// launch: backward_rows grid=1 block=32 args=f32[609],f32[609],21,29
// launch: backward_rows grid=1 block=32 args=f32[300]@29,same0@0,9,29
// launch: backward_rows grid=1 block=32 args=f32[300],same0@29,9,29
// launch: backward_rows_not grid=1 block=1 args=f32[1],f32[1],0,1
// launch: backward_rows_not grid=1 block=1 args=f32[3],f32[3],3,1
// launch: backward_rows_not grid=1 block=1 args=f32[9],f32[9],9,1
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void backward_rows(const float *RESTRICT a, float *RESTRICT x, int rows, int pitch) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= pitch)
    return;
  float carried = 1.0f;
  for (int row = rows - 1; row >= 0; --row) {
    carried = 0.25f * carried + a[row * pitch + column] * x[row * pitch + column];
    x[row * pitch + column] = carried;
  }
}

extern "C" __global__ void backward_rows_not(const float *RESTRICT a, float *RESTRICT x, int rows, int pitch) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= pitch)
    return;
  for (int row = rows - 2; row >= 0; --row)
    x[row * pitch + column] -= a[row * pitch + column] * x[(row + 1) * pitch + (column + 1) % pitch];
}
