// ptxasw: remarks
// A matrix by columns and a vector: a pointer steps by a pitch, another by one, both by 64 bits. Its twin asks each row where it is.
// launch: matvec grid=2 block=16 args=f32[1],f32[1],f32[29]:zero,0,29
// launch: matvec grid=2 block=16 args=f32[29],f32[1],f32[29]:zero,1,29
// launch: matvec grid=2 block=16 args=f32[87],f32[3],f32[29]:zero,3,29
// launch: matvec grid=2 block=16 args=f32[116],f32[4],f32[29]:zero,4,29
// launch: matvec grid=2 block=16 args=f32[145],f32[5],f32[29]:zero,5,29
// launch: matvec grid=2 block=16 args=f32[203],f32[7],f32[29]:zero,7,29
// launch: matvec grid=2 block=16 args=f32[232],f32[8],f32[29]:zero,8,29
// launch: matvec grid=2 block=16 args=f32[261],f32[9],f32[29]:zero,9,29
// launch: matvec grid=2 block=16 args=f32[609],f32[21],f32[29]:zero,21,29
// launch: matvec_not grid=2 block=16 args=f32[1],f32[1],u32[1]%29,f32[29]:zero,0,29
// launch: matvec_not grid=2 block=16 args=f32[87],f32[3],u32[3]%29,f32[29]:zero,3,29
// launch: matvec_not grid=2 block=16 args=f32[261],f32[9],u32[9]%29,f32[29]:zero,9,29

extern "C" __global__ void matvec(const float *a, const float *x, float *y, int columns, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= pitch)
    return;
  a += row;
  float sum = 0;
  for (const float *end = x + columns; x < end; ++x, a += pitch)
    sum += *a * *x;
  y[row] = sum;
}

extern "C" __global__ void matvec_not(const float *a, const float *x, const int *width, float *y, int columns, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= pitch)
    return;
  int at = row;
  float sum = 0;
  for (int k = 0; k < columns; ++k) {
    sum += a[at] * x[k];
    at += width[k];
  }
  y[row] = sum;
}
