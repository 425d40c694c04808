// ptxasw: remarks
// Each column has a depth of its own: lanes leave the loop in different iterations, and the copy for whole warps carries the rows.
// launch: march_divergent grid=2 block=128 args=f32[2400],f32[2400],u32[256],200,3
// launch: march_divergent grid=3 block=48 args=f32[2400],f32[2400],u32[256],140,2
// launch: march_divergent grid=1 block=16,8 args=f32[2400],f32[2400],u32[256],16,3
// launch: march_divergent grid=1 block=1000 args=f32[9000],f32[9000],u32[1000],1000,2
extern "C" __global__ void march_divergent(const float *__restrict__ x, float *__restrict__ y, const unsigned *__restrict__ depth, int nx, int least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1) return;
  const float *p = x + i;
  float *q = y + i + 16 * nx * threadIdx.y;
  float cur = p[0];
  int rows = least + depth[i] % 3;
#pragma unroll 1
  for (int j = 0; j < rows; j++) {
    float sum = p[-1] - p[1];
    p += nx;
    float next = *p;
    *q = next + sum - 4.0f * cur;
    q += nx;
    cur = next;
  }
}
