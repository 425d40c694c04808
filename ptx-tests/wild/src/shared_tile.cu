// A row convolution through a shared tile with a halo, dynamic size.
// launch: tiled grid=2 block=64 shared=280 args=f32[128],f32[128],100
#define R 3

extern "C" __global__ void tiled(const float *__restrict__ in,
                                 float *__restrict__ out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x + R;
  tile[t] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < R) {
    tile[t - R] = i >= R && i - R < n ? in[i - R] : 0.0f;
    tile[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int d = -R; d <= R; ++d)
    sum += tile[t + d];
  if (i < n)
    out[i] = sum;
}
