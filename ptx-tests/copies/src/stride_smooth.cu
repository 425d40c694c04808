// ptxasw: remarks
// A grid-stride loop that computes much between its loads.
// launch: stride_smooth grid=2 block=128 args=f32[1100],f32[1100],1077
// launch: stride_smooth grid=3 block=48 args=f32[700],f32[700],633
// launch: stride_smooth grid=2 block=16,8 args=f32[600],f32[600],71
// launch: stride_smooth grid=1 block=1000 args=f32[2100],f32[2100],2077
extern "C" __global__ void stride_smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float sum = 1;
#pragma unroll
    for (int k = 0; k < 5; k++) {
      float v = in[i + k], power = 0.125f;
#pragma unroll
      for (int d = 1; d < 20; d++)
        power = __builtin_fmaf(power, v, 0.0625f * d);
      sum = __builtin_fmaf(sum, power, v);
    }
    out[i * blockDim.y + threadIdx.y] = sum;
  }
}
