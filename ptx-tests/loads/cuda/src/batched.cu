// ptxasw: remarks
// Products of matrices of 3 by 3 in arrays of columns: distances of 32 bits times n, so that tests hold modulo 2^34.
// launch: batched grid=2 block=64 args=f32[1152],f32[1152],f32[1152]:zero,128
// launch: batched grid=1 block=96 args=f32[720],f32[720],f32[720]:zero,80
#ifndef RESTRICT
#define RESTRICT
#endif
#define N 3

extern "C" __global__ void batched(const float *RESTRICT a, const float *RESTRICT b, float *RESTRICT c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[(i * N + j) * n + t] = 0;
      for (int k = 0; k < N; k++)
        c[(i * N + j) * n + t] += a[(i * N + k) * n + t] * b[(k * N + j) * n + t];
    }
}
