// ptxasw: remarks
// Both loops have trip counts of the thread's own.
// launch: nested grid=2 block=128 args=f32[1600]@8,f32[1100],700
// launch: nested grid=3 block=48 args=f32[900]@8,f32[700],433
// launch: nested grid=2 block=16,8 args=f32[600]@8,f32[600],71
// launch: nested grid=1 block=1000 args=f32[2100]@8,f32[2100],1177
extern "C" __global__ void nested(const float *__restrict__ in, float *__restrict__ out, int n) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float sum = in[i] - in[i + 1];
#pragma unroll 1
    for (int k = 0; k < (n - i) / 64; k++)
      sum += in[i + k + 2] * in[i + k + 3];
    out[i * blockDim.y + threadIdx.y] = sum;
  }
}
