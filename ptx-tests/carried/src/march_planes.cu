// ptxasw: remarks
// Seven points, marched along planes.
// launch: march_planes grid=2 block=64 args=f32[4000],f32[4000],72,500,6
// launch: march_planes grid=1 block=32,4 args=f32[4000],f32[4000],34,200,7
// launch: march_planes grid=1,3 block=16,8 args=f32[9000],f32[9000],15,500,5
// launch: march_planes grid=1 block=8,8,4 args=f32[6000],f32[6000],9,300,6
extern "C" __global__ void march_planes(const float *__restrict__ x, float *__restrict__ y, int nx, int plane, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < 1 || i >= nx - 1) return;
  const float *p = x + j * nx + i;
  float *q = y + j * nx + i;
  float below = p[0];
  p += plane;
  float centre = p[0];
#pragma unroll 1
  for (int k = 1; k < nz - 1; k++) {
    float around = p[-1] + p[1] + p[-nx] + p[nx];
    p += plane;
    q += plane;
    float above = *p;
    *q = below + above + around - 6.0f * centre;
    below = centre;
    centre = above;
  }
}
