// ptxasw: remarks
// A row of a sparse matrix for each warp, 32 elements at a time, its lanes' sums put together behind the loop. Its twin waits for the warp in the loop.
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=0,u32[1]%40,f32[1],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=33,u32[66]%40,f32[66],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=101,u32[202]%40,f32[202],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=131,u32[262]%40,f32[262],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=233,u32[466]%40,f32[466],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=265,u32[530]%40,f32[530],f32[40],f32[2]:zero
// launch: csr_warp grid=2 block=32 args=u32[3]:ramp=647,u32[1294]%40,f32[1294],f32[40],f32[2]:zero
// launch: csr_warp_not grid=2 block=32 args=u32[3]:ramp=0,u32[1]%40,f32[1],f32[40],f32[32]:zero
// launch: csr_warp_not grid=2 block=32 args=u32[3]:ramp=101,u32[202]%40,f32[202],f32[40],f32[32]:zero
// launch: csr_warp_not grid=2 block=32 args=u32[3]:ramp=265,u32[530]%40,f32[530],f32[40],f32[32]:zero

extern "C" __global__ void csr_warp(const int *rows, const int *columns, const float *values, const float *x, float *y) {
  int end = rows[blockIdx.x + 1];
  float sum = 0;
  for (int k = rows[blockIdx.x] + threadIdx.x; k < end; k += 32)
    sum += values[k] * x[columns[k]];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}

extern "C" __global__ void csr_warp_not(const int *rows, const int *columns, const float *values, const float *x, float *y) {
  __shared__ float parts[32];
  int end = rows[blockIdx.x + 1];
  float sum = 0;
  for (int k = rows[blockIdx.x]; k < end; k += 32) {
    int at = k + threadIdx.x;
    parts[threadIdx.x] = at < end ? values[at] * x[columns[at]] : 0.0f;
    __syncwarp(0xffffffff);
    sum += parts[threadIdx.x ^ 16];
    __syncwarp(0xffffffff);
  }
  if (threadIdx.x < 16)
    y[blockIdx.x * 16 + threadIdx.x] = sum;
}
