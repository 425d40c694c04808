// ptxasw: remarks
// The source stands in front of the loop, its destinations in it.
// launch: source_outside grid=2 block=128 args=f32[600]@8,f32[300],230
// launch: source_outside grid=2 block=48 args=f32[600]@8,f32[300],90
// launch: source_outside grid=1 block=16,8 args=f32[600]@8,f32[300],120
// launch: source_outside grid=1 block=1000 args=f32[1600]@8,f32[1000],950
// launch: source_outside grid=2 block=128 args=f32[600]:ramp@8,f32[300],230
extern "C" __global__ void source_outside(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v = in[i];
  if (v > 0.25f) {
    v = v / in[i + 1];
    out[t] = v;
    v = v / (v + in[i - 1]);
  }
  out[t] += v;
}
