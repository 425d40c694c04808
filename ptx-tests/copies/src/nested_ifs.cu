// ptxasw: remarks
// An `if` in an `if`; shuffles in front of the inner one, in it, and behind it.
// launch: nested_ifs grid=2 block=128 args=f32[300]@4,f32[300],240,200
// launch: nested_ifs grid=2 block=48 args=f32[300]@4,f32[300],80,71
// launch: nested_ifs grid=1 block=16,8 args=f32[300]@4,f32[300],120,60
// launch: nested_ifs grid=1 block=16,8 args=f32[300]@4,f32[300],14,9
// launch: nested_ifs grid=1 block=1000 args=f32[1100]@4,f32[1100],900,500
extern "C" __global__ void nested_ifs(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v = 1;
  if (i < n) {
    v = in[i] / in[i + 1];
    if (i < m) {
      v = v / (in[i - 1] + v);
      v = v / (in[i - 2] + v);
    }
    v = v / (in[i + 2] + v);
  }
  out[t] = v;
}
