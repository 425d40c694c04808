// ptxasw: remarks
// Loads in both arms: warps that go either way together run the copy.
// launch: both_arms grid=2 block=128 args=f32[300]@4,f32[300]@4,f32[300],100
// launch: both_arms grid=2 block=48 args=f32[300]@4,f32[300]@4,f32[300],71
// launch: both_arms grid=1 block=16,8 args=f32[300]@4,f32[300]@4,f32[300],60
// launch: both_arms grid=1 block=16,8 args=f32[300]@4,f32[300]@4,f32[300],9
// launch: both_arms grid=1 block=1000 args=f32[1100]@4,f32[1100]@4,f32[1100],477
extern "C" __global__ void both_arms(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v;
  if (i < n) {
    v = a[i - 1] - a[i + 1];
    v = v * v + a[i];
  } else {
    v = b[i] / b[i + 1];
    v = v / (v + b[i + 2]);
  }
  out[t] = v;
}
