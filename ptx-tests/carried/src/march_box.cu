// ptxasw: remarks
// Nine points: the neighbours of two rows are served by what was loaded one and two iterations ago.
// launch: march_box grid=2 block=128 args=f32[2400],f32[2400],200,9
// launch: march_box grid=3 block=48 args=f32[2400],f32[2400],140,8
// launch: march_box grid=1 block=64,2 args=f32[2400],f32[2400],64,10
// launch: march_box grid=1 block=1000 args=f32[6000],f32[6000],900,6
extern "C" __global__ void march_box(const float *__restrict__ x, float *__restrict__ y, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= nx - 1) return;
  const float *p = x + i;
  float *q = y + i + 16 * nx * threadIdx.y;
  float prev = p[0];
  const float *o = p;
  p += nx;
  float cur = p[0];
#pragma unroll 1
  for (int j = 1; j < ny - 1; j++) {
    float sum = p[-1] + p[1] + 0.5f * (o[-1] + o[1]);
    o = p;
    p += nx;
    float next = *p;
    *q = prev + next + sum + 0.25f * (p[-1] + p[1]) - 4.0f * cur;
    q += nx;
    prev = cur;
    cur = next;
  }
}
