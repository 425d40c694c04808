// ptxasw: remarks
// Partial sums in memory, one of each kind for a thread: sum, squares, least and largest of four elements at a time.
// launch: reduction grid=2 block=32 args=f32[640],f32[64],f32[64],f32[64],f32[64],640
// launch: reduction grid=1 block=48 args=f32[400]@1,f32[49]@1,f32[49]@1,f32[49]@1,f32[49]@1,390
#ifndef RESTRICT
#define RESTRICT
#endif
typedef float *RESTRICT array;

extern "C" __global__ void reduction(const float *RESTRICT x, array sum, array squares, array least, array largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int at = i; at + 3 * threads < n; at += 4 * threads)
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      int j = at + k * threads;
      sum[i] += x[j];
      squares[i] += x[j] * x[j];
      least[i] = x[j] < least[i] ? x[j] : least[i];
      largest[i] = x[j] > largest[i] ? x[j] : largest[i];
    }
}
