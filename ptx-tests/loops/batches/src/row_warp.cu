// ptxasw: remarks
// llvm: yes
// A row for each warp, a lane's elements 32 apart, the largest one found by shuffles behind the loop. Its twin exchanges in the loop.
// launch: row_warp grid=2 block=32 args=f32[1],f32[2]:zero,0
// launch: row_warp grid=2 block=32 args=f32[66],f32[2]:zero,33
// launch: row_warp grid=2 block=32 args=f32[202],f32[2]:zero,101
// launch: row_warp grid=2 block=32 args=f32[262],f32[2]:zero,131
// launch: row_warp grid=2 block=32 args=f32[466],f32[2]:zero,233
// launch: row_warp grid=2 block=32 args=f32[530],f32[2]:zero,265
// launch: row_warp grid=2 block=32 args=f32[1294],f32[2]:zero,647
// launch: row_warp_not grid=2 block=32 args=f32[1],f32[64]:zero,0
// launch: row_warp_not grid=2 block=32 args=f32[202],f32[64]:zero,101
// launch: row_warp_not grid=2 block=32 args=f32[530],f32[64]:zero,265

extern "C" __global__ void row_warp(const float *x, float *out, int columns) {
  const float *row = x + (long long)blockIdx.x * columns;
  float largest = -3.0f;
  for (int k = threadIdx.x; k < columns; k += 32)
    largest = fmaxf(largest, fabsf(row[k]));
  for (int distance = 16; distance > 0; distance /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
  if (threadIdx.x == 0)
    out[blockIdx.x] = largest;
}

extern "C" __global__ void row_warp_not(const float *x, float *out, int columns) {
  const float *row = x + (long long)blockIdx.x * columns;
  float largest = -3.0f;
  for (int k = 0; k < columns; k += 32) {
    float value = k + threadIdx.x < columns ? fabsf(row[k + threadIdx.x]) : -3.0f;
    largest = fmaxf(largest, fmaxf(value, __shfl_xor_sync(0xffffffff, value, 1)));
  }
  out[blockIdx.x * 32 + threadIdx.x] = largest;
}
