// ptxasw: remarks
// The loop runs equally often in all lanes, the `if` inside does not.
// launch: if_in_uniform_loop grid=2 block=128 args=f32[600],f32[300],230,5
// launch: if_in_uniform_loop grid=2 block=48 args=f32[600],f32[300],90,7
// launch: if_in_uniform_loop grid=1 block=16,8 args=f32[600],f32[300],120,4
// launch: if_in_uniform_loop grid=1 block=16,8 args=f32[600],f32[300],20,4
// launch: if_in_uniform_loop grid=1 block=1000 args=f32[1600],f32[1000],950,3
extern "C" __global__ void if_in_uniform_loop(const float *__restrict__ in, float *__restrict__ out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; k++) {
    if (i + k * 8 < n) {
      v += in[i + k * 8] / in[i + k * 8 + 1];
      v = v / (v + in[i + k * 8 + 2]);
    }
    v = v * 2;
  }
  out[t] = v;
}
