// ptxasw: remarks
// One stencil, five results: gradient, Laplacian and the square of the gradient, each stored as soon as it is there.
// launch: outputs grid=1,5,3 block=32 args=f32[1000],f32[1000]:zero,f32[1000]:zero,f32[1000]:zero,f32[1000]:zero,f32[1000]:zero,0.5f,20,8,5
// launch: outputs grid=1,4,2 block=64 args=f32[400]@1,f32[400]@1,f32[400]@1,f32[400]@1,f32[400]@1,f32[400]@1,2f,12,6,4
#ifndef RESTRICT
#define RESTRICT
#endif
typedef float *RESTRICT array;

extern "C" __global__ void outputs(const float *RESTRICT u, array gx, array gy, array gz, array laplacian, array square, float h, int nx,
                                   int ny, int nz) {
  int x = threadIdx.x + 1, y = blockIdx.y + 1, z = blockIdx.z + 1;
  if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  int c = x + nx * (y + ny * z), row = nx, plane = nx * ny;
  gx[c] = h * (u[c + 1] - u[c - 1]);
  gy[c] = h * (u[c + row] - u[c - row]);
  gz[c] = h * (u[c + plane] - u[c - plane]);
  laplacian[c] = u[c + 1] + u[c - 1] + u[c + row] + u[c - row] + u[c + plane] + u[c - plane] - 6.0f * u[c];
  square[c] = gx[c] * gx[c] + gy[c] * gy[c] + gz[c] * gz[c];
}
