// ptxasw: remarks
// A sparse matrix in columns of equal height, filled up with zeros. Its twin ends a row at a column of -1.
// launch: ell_row grid=2 block=16 args=u32[1]%40,f64[1],f64[40],f64[29]:zero,29,0
// launch: ell_row grid=2 block=16 args=u32[29]%40,f64[29],f64[40],f64[29]:zero,29,1
// launch: ell_row grid=2 block=16 args=u32[87]%40,f64[87],f64[40],f64[29]:zero,29,3
// launch: ell_row grid=2 block=16 args=u32[116]%40,f64[116],f64[40],f64[29]:zero,29,4
// launch: ell_row grid=2 block=16 args=u32[145]%40,f64[145],f64[40],f64[29]:zero,29,5
// launch: ell_row grid=2 block=16 args=u32[203]%40,f64[203],f64[40],f64[29]:zero,29,7
// launch: ell_row grid=2 block=16 args=u32[232]%40,f64[232],f64[40],f64[29]:zero,29,8
// launch: ell_row grid=2 block=16 args=u32[261]%40,f64[261],f64[40],f64[29]:zero,29,9
// launch: ell_row grid=2 block=16 args=u32[609]%40,f64[609],f64[40],f64[29]:zero,29,21
// launch: ell_row_not grid=2 block=16 args=u32[1]%40,f64[1],f64[40],f64[29]:zero,29,0
// launch: ell_row_not grid=2 block=16 args=u32[87]%40,f64[87],f64[40],f64[29]:zero,29,3
// launch: ell_row_not grid=2 block=16 args=u32[261]%40,f64[261],f64[40],f64[29]:zero,29,9
// launch: ell_row_not grid=2 block=16 args=i32[87]:value=-1,f64[87],f64[40],f64[29]:zero,29,3

extern "C" __global__ void ell_row(const int *columns, const double *values, const double *x, double *y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = 0, at = row; k < width; ++k, at += rows)
    sum += values[at] * x[columns[at]];
  y[row] = sum;
}

extern "C" __global__ void ell_row_not(const int *columns, const double *values, const double *x, double *y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = 0, at = row; k < width; ++k, at += rows) {
    int column = columns[at];
    if (column < 0)
      break;
    sum += values[at] * x[column];
  }
  y[row] = sum;
}
