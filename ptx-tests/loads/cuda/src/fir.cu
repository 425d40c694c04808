// ptxasw: remarks
// A filter of eight taps with its sum in memory: each step loads what the last one stored, and a tap that this may have changed.
// launch: fir grid=2 block=128 args=f32[207],f32[8],f32[200],200
// launch: fir grid=1 block=96 args=f32[104]@1,f32[9]@1,f32[96],95
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void fir(const float *RESTRICT x, const float *RESTRICT taps, float *RESTRICT y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    y[i] += taps[k] * x[i + k];
}
