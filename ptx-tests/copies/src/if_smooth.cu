// ptxasw: remarks
// An `if` with a join that computes much between its loads.
// launch: if_smooth grid=2 block=128 args=f32[300],f32[300],0.5f,200
// launch: if_smooth grid=2 block=48 args=f32[300],f32[300],0.5f,71
// launch: if_smooth grid=1 block=16,8 args=f32[300],f32[300],0.5f,100
// launch: if_smooth grid=1 block=1000 args=f32[1100],f32[1100],0.5f,977
extern "C" __global__ void if_smooth(const float *__restrict__ in, float *__restrict__ out, float rest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float sum = rest;
  if (i < n) {
#pragma unroll
    for (int k = 0; k < 5; k++) {
      float v = in[i + k], power = 0.125f;
#pragma unroll
      for (int d = 1; d < 20; d++)
        power = __builtin_fmaf(power, v, 0.0625f * d);
      sum = __builtin_fmaf(sum, power, v);
    }
  }
  out[t] = sum * sum;
}
