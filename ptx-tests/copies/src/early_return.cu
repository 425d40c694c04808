// ptxasw: remarks
// Some lanes return in the arm of an `if`, between loads.
// launch: early_return grid=2 block=128 args=f32[300],f32[300],240,4.0f
// launch: early_return grid=2 block=48 args=f32[300],f32[300],80,2.0f
// launch: early_return grid=1 block=16,8 args=f32[300],f32[300],120,8.0f
// launch: early_return grid=1 block=16,8 args=f32[300],f32[300],11,4.0f
// launch: early_return grid=1 block=1000 args=f32[1100],f32[1100],900,16.0f
extern "C" __global__ void early_return(const float *__restrict__ in, float *__restrict__ out, int n, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v = 1;
  if (i < n) {
    v = in[i] / in[i + 1];
    if (v > limit)
      return;
    out[t] = v;
    v = v / (in[i + 2] + v);
  }
  out[t] += v;
}
