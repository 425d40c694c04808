// ptxasw: remarks
// The trip count is the thread's own, and the loop is left early where a value is found.
// launch: while_loop grid=2 block=128 args=f32[1100]@8,f32[300],300,3.0f
// launch: while_loop grid=3 block=48 args=f32[700]@8,f32[300],150,2.0f
// launch: while_loop grid=1 block=16,8 args=f32[300]@8,f32[300],128,3.0f
// launch: while_loop grid=1 block=1000 args=f32[2100]@8,f32[1000],1000,1.0f
extern "C" __global__ void while_loop(const float *__restrict__ in, float *__restrict__ out, int n, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float sum = 0;
  int k = i;
#pragma unroll 1
  while (k < i + (i & 7) + n / 20) {
    float left = in[k - 1], right = in[k + 1];
    sum += left * left - right;
    if (sum > limit)
      break;
    k += 16;
  }
  out[t] = sum;
}
