// printf and assert: vprintf with a local buffer, strings in .global.
// launch: check grid=2 block=64 args=u32[128]%120,100
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void check(const int *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  assert(in[i] >= 0);
  if (in[i] > 100)
    printf("%d: %d is above %s (%f)\n", i, in[i], "hundred", in[i] * 0.01);
}
