// ptxasw: remarks
// The address depends on how often the thread ran the inner loop.
// launch: not_behind_side_loop grid=2 block=128 args=f32[1400]@8,f32[1100],1077,6
// launch: not_behind_side_loop grid=3 block=48 args=f32[900]@8,f32[700],633,4
extern "C" __global__ void not_behind_side_loop(const float *__restrict__ in, float *__restrict__ out, int n, int limit) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    int k = 0;
    float sum = 0;
#pragma unroll 1
    do {
      sum += (float)((i * 7 + k) % 5);
      k++;
    } while (sum < limit);
    out[i * blockDim.y + threadIdx.y] = in[i + k * 4] - in[i + k * 4 + 1] * (in[i + 4] - in[i + 5]);
  }
}
