// ptxasw: remarks
// A product of two 3x3 matrices for each thread, added up in memory. The stores into the result stand between all loads.
// launch: dense3 grid=2 block=64 args=f32[900],f32[900],f32[900],100
// launch: dense3 grid=1 block=32 args=f32[300]@1,f32[300]@2,f32[300]@3,32
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void dense3(const float *RESTRICT a, const float *RESTRICT b, float *RESTRICT c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a += 9 * i, b += 9 * i, c += 9 * i;
#pragma unroll
  for (int row = 0; row < 3; ++row)
#pragma unroll
    for (int column = 0; column < 3; ++column)
#pragma unroll
      for (int k = 0; k < 3; ++k)
        c[3 * row + column] += a[3 * row + k] * b[3 * k + column];
}
