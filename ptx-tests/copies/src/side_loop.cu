// ptxasw: remarks
// The inner loop holds no shuffle: lanes leave it one by one and meet again behind it.
// launch: side_loop grid=2 block=128 args=f32[1300]@8,u32[1300]%9,f32[1100],1077
// launch: side_loop grid=3 block=48 args=f32[800]@8,u32[800]%9,f32[700],633
// launch: side_loop grid=2 block=16,8 args=f32[600]@8,u32[600]%9,f32[600],71
// launch: side_loop grid=1 block=1000 args=f32[2200]@8,u32[2200]%9,f32[2100],2077
extern "C" __global__ void side_loop(const float *__restrict__ in, const int *__restrict__ count, float *__restrict__ out, int n) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float v = in[i];
#pragma unroll 1
    for (int k = count[i]; k > 0; k--)
      v = v * v - 1.0f;
    out[i * blockDim.y + threadIdx.y] = v - in[i + 1];
  }
}
