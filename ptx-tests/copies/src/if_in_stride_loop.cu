// ptxasw: remarks
// An `if` in a grid-stride loop.
// launch: if_in_stride_loop grid=2 block=128 args=f32[1100],f32[1100],1077,600
// launch: if_in_stride_loop grid=3 block=48 args=f32[700],f32[700],633,300
// launch: if_in_stride_loop grid=2 block=16,8 args=f32[600],f32[600],71,33
// launch: if_in_stride_loop grid=1 block=1000 args=f32[2100],f32[2100],2077,1500
extern "C" __global__ void if_in_stride_loop(const float *__restrict__ in, float *__restrict__ out, int n, int m) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float v = in[i];
    if (i > m) {
      v = v / in[i + 1];
      v = v / (v + in[i + 2]);
    }
    out[i * blockDim.y + threadIdx.y] = v;
  }
}
