// ptxasw: remarks
// llvm: yes
// A filter whose taps are counted at run time, in a loop with a grid's stride: the inner loop is the candidate. Its twin fences in it.
// launch: inner_taps grid=2 block=16 args=f32[101],f32[1],f32[101]:zero,101,0
// launch: inner_taps grid=2 block=16 args=f32[102],f32[1],f32[101]:zero,101,1
// launch: inner_taps grid=2 block=16 args=f32[104],f32[3],f32[101]:zero,101,3
// launch: inner_taps grid=2 block=16 args=f32[105],f32[4],f32[101]:zero,101,4
// launch: inner_taps grid=2 block=16 args=f32[106],f32[5],f32[101]:zero,101,5
// launch: inner_taps grid=2 block=16 args=f32[108],f32[7],f32[101]:zero,101,7
// launch: inner_taps grid=2 block=16 args=f32[109],f32[8],f32[101]:zero,101,8
// launch: inner_taps grid=2 block=16 args=f32[110],f32[9],f32[101]:zero,101,9
// launch: inner_taps grid=2 block=16 args=f32[122],f32[21],f32[101]:zero,101,21
// launch: inner_taps_not grid=2 block=16 args=f32[101],f32[1],f32[101]:zero,101,0
// launch: inner_taps_not grid=2 block=16 args=f32[104],f32[3],f32[101]:zero,101,3
// launch: inner_taps_not grid=2 block=16 args=f32[110],f32[9],f32[101]:zero,101,9
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void inner_taps(const float *RESTRICT x, const float *RESTRICT taps, float *RESTRICT y, int n, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = 0; k < count; ++k)
      sum += taps[k] * x[i + k];
    y[i] = sum;
  }
}

extern "C" __global__ void inner_taps_not(const float *RESTRICT x, const float *RESTRICT taps, float *RESTRICT y, int n, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    for (int k = 0; k < count; ++k) {
      y[i] += taps[k] * x[i + k];
      __threadfence();
    }
  }
}
