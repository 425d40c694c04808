// ptxasw: remarks
// Four gated activations for each thread: eight neighbours are loaded, four are stored, and memory has no room for more.
// launch: gates grid=2 block=32 args=f32[256],f32[256],f32[256]:zero,64
// launch: gates grid=1 block=64 args=f32[161]@1,f32[161]@1,f32[161]@1,40
extern "C" __global__ void gates(const float *x, const float *gate, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float g = gate[4 * i + k];
    y[4 * i + k] = x[4 * i + k] * (g / (1.0f + (g < 0.0f ? -g : g)));
  }
}
