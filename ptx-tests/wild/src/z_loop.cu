// The 13-point wave with the z loop inside the kernel.
// launch: wave grid=2,7 block=128 args=f32[7000],f32[7000],150,7,6
extern "C" __global__ void wave(const float *__restrict__ in,
                                float *__restrict__ out, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2)
    return;
  int plane = nx * ny;
  for (int k = 2; k < nz - 2; ++k) {
    const float *p = in + k * plane + j * nx + i;
    out[k * plane + j * nx + i] =
        p[0] + 0.5f * (p[1] + p[-1] + p[nx] + p[-nx] + p[plane] + p[-plane]) +
        0.25f * (p[2] + p[-2] + p[2 * nx] + p[-2 * nx] + p[2 * plane] +
                 p[-2 * plane]);
  }
}
