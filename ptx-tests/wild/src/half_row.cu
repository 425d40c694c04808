// Half precision, single and packed.
// launch: halves grid=2 block=64 args=f16[128],f16[256],f16[128],f16[256],100
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half *__restrict__ in,
                                  const __half2 *__restrict__ pairs,
                                  __half *__restrict__ out,
                                  __half2 *__restrict__ out2, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  out[i] = __hadd(__hadd(in[i - 1], in[i + 1]), __hmul(in[i], __float2half(2.0f)));
  out2[i] = __hfma2(pairs[i], pairs[i + 1], __float2half2_rn(0.5f));
}
