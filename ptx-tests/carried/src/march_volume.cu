// ptxasw: remarks
// Planes apart by a product of two parameters, widened: the solver need not know how large it can become.
// launch: march_volume grid=2 block=128 args=f32[4000],f32[4000],200,4,5
// launch: march_volume grid=3 block=48 args=f32[4000],f32[4000],140,4,6
// launch: march_volume grid=1 block=64,2 args=f32[4000],f32[4000],64,4,9
// launch: march_volume grid=1 block=1000 args=f32[18000],f32[18000],900,4,5
extern "C" __global__ void march_volume(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  float below = in[(long)j * nx + i], here = in[(ny + (long)j) * nx + i];
#pragma unroll 1
  for (int k = 1; k < nz - 1; k++) {
    const float *row = in + (k * (long)ny + j) * nx + i;
    float above = row[(long)ny * nx];
    out[(k * (long)ny + j) * nx + i] = below + above + row[-1] + row[1] - 4.0f * here;
    below = here;
    here = above;
  }
}
