// ptxasw: remarks
// A row of a tile for each thread, columns a run-time number of threads apart, stores of doubles. Its twin waits until another block has written.
// launch: transpose_rows grid=3 block=32 args=f64[1],f64[1]:zero,3,0
// launch: transpose_rows grid=3 block=32 args=f64[99],f64[99]:zero,3,33
// launch: transpose_rows grid=3 block=32 args=f64[303],f64[303]:zero,3,101
// launch: transpose_rows grid=3 block=32 args=f64[393],f64[393]:zero,3,131
// launch: transpose_rows grid=3 block=32 args=f64[699],f64[699]:zero,3,233
// launch: transpose_rows grid=3 block=32 args=f64[795],f64[795]:zero,3,265
// launch: transpose_rows grid=3 block=32 args=f64[1941],f64[1941]:zero,3,647
// launch: transpose_rows_not grid=2 block=16 args=f32[1],f32[32]:zero,u32[1]:value=1,0
// launch: transpose_rows_not grid=2 block=16 args=f32[96],f32[32]:zero,u32[3]:value=1,3
// launch: transpose_rows_not grid=2 block=16 args=f32[288],f32[32]:zero,u32[9]:value=1,9
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void transpose_rows(const double *RESTRICT x, double *RESTRICT y, int rows, int columns) {
  int row = blockIdx.x;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    y[(long long)column * rows + row] = x[(long long)row * columns + column];
}

extern "C" __global__ void transpose_rows_not(const float *x, float *y, const volatile int *ready, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < columns; ++k) {
    while (ready[k] == 0)
      ;
    sum += x[k * 32 + row];
  }
  y[row] = sum;
}
