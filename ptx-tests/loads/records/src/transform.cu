// ptxasw: remarks
// An element-wise transform of three planes into three others, four elements of each for a thread.
// launch: transform grid=2 block=32 args=f32[768],f32[768]:zero,64,256
// launch: transform grid=1 block=64 args=f32[483]@1,f32[483]@1,40,161
extern "C" __global__ void transform(const float *in, float *out, int n, int plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int at = 4 * i + k;
    float r = in[at], g = in[plane + at], b = in[2 * plane + at];
    out[at] = 0.299f * r + 0.587f * g + 0.114f * b;
    out[plane + at] = 0.5f * (b - r);
    out[2 * plane + at] = 0.5f * (r - g);
  }
}
