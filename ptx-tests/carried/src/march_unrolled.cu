// ptxasw: remarks
// As compilers unroll it: within an iteration the rows are loads of it, the first one is carried.
// launch: march_unrolled grid=2 block=128 args=f32[2400],f32[2400],200,9
// launch: march_unrolled grid=3 block=48 args=f32[2400],f32[2400],140,8
// launch: march_unrolled grid=1 block=64,2 args=f32[2400],f32[2400],64,10
// launch: march_unrolled grid=1 block=1000 args=f32[6000],f32[6000],900,6
extern "C" __global__ void march_unrolled(const float *__restrict__ x, float *__restrict__ y, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1) return;
  const float *p = x + i;
  float *q = y + i + 16 * nx * threadIdx.y;
  float prev = p[0];
  p += nx;
  float cur = p[0];
#pragma unroll 4
  for (int j = 1; j < ny - 1; j++) {
    float left = p[-1], right = p[1];
    p += nx;
    float next = *p;
    *q = prev + next + left + right - 4.0f * cur;
    q += nx;
    prev = cur;
    cur = next;
  }
}
