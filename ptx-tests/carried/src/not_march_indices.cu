// ptxasw: remarks
// The same as compilers write it for 32-bit indices: rows in front of the loop are counted otherwise than in it, and either may wrap.
// launch: not_march_indices grid=2 block=128 args=f32[2400],f32[2400],200,9
extern "C" __global__ void not_march_indices(const float *__restrict__ x, float *__restrict__ y, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1) return;
  float prev = x[i], cur = x[nx + i];
#pragma unroll 1
  for (int j = 1; j < ny - 1; j++) {
    float next = x[(j + 1) * nx + i];
    y[j * nx + i] = prev + next + x[j * nx + i + 1] - 4.0f * cur;
    prev = cur;
    cur = next;
  }
}
