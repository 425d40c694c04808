// ptxasw: remarks
// Rows of columns that lie apart by a pitch: neighbours of a warp read neighbours. Its twin looks for the rows in a list.
// launch: row_columns grid=2 block=16 args=f32[1],f32[29]:zero,29,0,31
// launch: row_columns grid=2 block=16 args=f32[31],f32[29]:zero,29,1,31
// launch: row_columns grid=2 block=16 args=f32[93],f32[29]:zero,29,3,31
// launch: row_columns grid=2 block=16 args=f32[124],f32[29]:zero,29,4,31
// launch: row_columns grid=2 block=16 args=f32[155],f32[29]:zero,29,5,31
// launch: row_columns grid=2 block=16 args=f32[217],f32[29]:zero,29,7,31
// launch: row_columns grid=2 block=16 args=f32[248],f32[29]:zero,29,8,31
// launch: row_columns grid=2 block=16 args=f32[279],f32[29]:zero,29,9,31
// launch: row_columns grid=2 block=16 args=f32[651],f32[29]:zero,29,21,31
// launch: row_columns_not grid=2 block=16 args=f32[64],i32[64]:value=64,f32[29]:zero,29
// launch: row_columns_not grid=2 block=16 args=f32[64],i32[67]:ramp@3,f32[29]:zero,29

extern "C" __global__ void row_columns(const float *x, float *out, int rows, int columns, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float least = 3.0f, largest = -3.0f;
  for (int k = 0; k < columns; k += 1) {
    float value = x[k * pitch + row];
    least = fminf(least, value);
    largest = fmaxf(largest, value);
  }
  out[row] = largest - least;
}

extern "C" __global__ void row_columns_not(const float *x, const int *next, float *out, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float largest = -3.0f;
  for (int at = row; at < 64; at = next[at])
    largest = fmaxf(largest, x[at]);
  out[row] = largest;
}
