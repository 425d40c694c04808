// A 25-point row in blocks of 32x8: every warp is one row.
// launch: rows grid=4,2 block=32,8 args=f32[1600],f32[1600],100,16
extern "C" __global__ void __launch_bounds__(256)
rows(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int j = blockIdx.y * 8 + threadIdx.y;
  if (i < 12 || i >= nx - 12 || j >= ny)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int d = -12; d <= 12; ++d)
    sum += in[j * nx + i + d];
  out[j * nx + i] = sum;
}
