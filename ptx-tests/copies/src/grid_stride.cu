// ptxasw: remarks
// A grid-stride loop over three points: lanes of one warp leave it in different iterations.
// launch: grid_stride grid=2 block=128 args=f32[1100],f32[1100],1077
// launch: grid_stride grid=3 block=48 args=f32[700],f32[700],633
// launch: grid_stride grid=2 block=16,8 args=f32[600],f32[600],71
// launch: grid_stride grid=1 block=1000 args=f32[2100],f32[2100],2077
extern "C" __global__ void grid_stride(const float *__restrict__ in, float *__restrict__ out, int n) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += step)
    out[i * blockDim.y + threadIdx.y] = in[i - 1] - in[i] + in[i + 1];
}
