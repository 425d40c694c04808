// All 27 neighbours, inside an `if` that joins behind.
// launch: box grid=2,4,4 block=128 args=f32[2400],f32[2400],150,4,4
extern "C" __global__ void box(const float *__restrict__ in,
                               float *__restrict__ out, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y;
  int k = blockIdx.z;
  float sum = 1.0f;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1) {
#pragma unroll
    for (int dk = -1; dk <= 1; ++dk)
#pragma unroll
      for (int dj = -1; dj <= 1; ++dj)
#pragma unroll
        for (int di = -1; di <= 1; ++di)
          sum += in[((k + dk) * ny + j + dj) * nx + i + di];
  }
  if (i < nx)
    out[(k * ny + j) * nx + i] = sum;
}
