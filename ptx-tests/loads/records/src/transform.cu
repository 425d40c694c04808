// ptxasw: remarks
// An element-wise transform into two arrays, four elements of each for a thread.
// launch: transform grid=2 block=32 args=f32[256],f32[256]:zero,f32[256]:zero,64
// launch: transform grid=1 block=64 args=f32[161]@1,f32[161]@1,f32[161]@1,40
extern "C" __global__ void transform(const float *in, float *sum, float *difference, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float x = in[4 * i + k];
    sum[4 * i + k] = 0.299f * x + 0.5f;
    difference[4 * i + k] = 0.587f * x - 0.5f;
  }
}
