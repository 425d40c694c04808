// A convolution with 17 taps in constant memory.
// launch: taps grid=2 block=128 args=f32[200],f32[200],200
__constant__ float kernel_taps[17] = {1, 2, 3, 4, 5, 6, 7, 8, 9,
                                      8, 7, 6, 5, 4, 3, 2, 1};

extern "C" __global__ void taps(const float *__restrict__ in,
                                float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 8 || i >= n - 8)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int d = 0; d < 17; ++d)
    sum += kernel_taps[d] * in[i + d - 8];
  out[i] = sum;
}
