// A nine-point stencil in blocks of 16x16: a warp spans two rows.
// launch: nine grid=3,2 block=16,16 args=f32[1200],f32[1200],40,30
extern "C" __global__ void __launch_bounds__(256)
nine(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
    return;
  const float *p = in + j * nx + i;
  out[j * nx + i] = p[-nx - 1] + p[-nx] + p[-nx + 1] + p[-1] - 8.0f * p[0] +
                    p[1] + p[nx - 1] + p[nx] + p[nx + 1];
}
