// ptxasw: remarks
// llvm: yes
// A row of a sparse matrix for each thread, x at loaded columns, the sum in a register. Its twin adds up in memory that may be x.
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=0,u32[1]%40,f32[1],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=1,u32[29]%40,f32[29],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=3,u32[87]%40,f32[87],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=4,u32[116]%40,f32[116],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=5,u32[145]%40,f32[145],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=7,u32[203]%40,f32[203],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=8,u32[232]%40,f32[232],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=9,u32[261]%40,f32[261],f32[40],f32[29]:zero,29
// launch: csr_row grid=2 block=16 args=u32[30]:ramp=21,u32[609]%40,f32[609],f32[40],f32[29]:zero,29
// launch: csr_row_not grid=2 block=16 args=u32[30]:ramp=0,u32[1]%40,f32[1],f32[40],f32[29]:zero,29
// launch: csr_row_not grid=2 block=16 args=u32[30]:ramp=3,u32[87]%40,f32[87],f32[40],f32[29]:zero,29
// launch: csr_row_not grid=2 block=16 args=u32[30]:ramp=9,u32[261]%40,f32[261],f32[40],f32[29]:zero,29
// launch: csr_row_not grid=1 block=1 args=u32[30]:ramp=9,u32[9]%20,f32[9],f32[40],same3@7,1
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void csr_row(const int *RESTRICT rows, const int *RESTRICT columns, const float *RESTRICT values, const float *RESTRICT x, float *RESTRICT y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = rows[row]; k < rows[row + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}

extern "C" __global__ void csr_row_not(const int *RESTRICT rows, const int *RESTRICT columns, const float *RESTRICT values, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  for (int k = rows[row], end = rows[row + 1]; k < end; ++k)
    y[row] += values[k] * x[columns[k]];
}
