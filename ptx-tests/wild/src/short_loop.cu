// A convolution over 16-bit samples in an unrolled loop.
// launch: samples grid=2 block=128 args=u16[200],u32[200],200
extern "C" __global__ void samples(const unsigned short *__restrict__ in,
                                   unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 6)
    return;
  unsigned sum = 0;
#pragma unroll
  for (int d = 0; d < 6; ++d)
    sum += (d + 1) * in[i + d];
  out[i] = sum;
}
