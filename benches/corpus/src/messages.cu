// What talks: printf, assertions, traps, clocks, memory from the heap.
#ifndef __CUDACC_RTC__
#include <assert.h>
#include <stdio.h>
#else
#define assert(x) ((x) ? (void)0 : __trap())
#endif

extern "C" __global__ void checked(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 2);
  if (i < n - 2) {
    float sum = in[i] + in[i + 1] + in[i + 2];
    assert(sum == sum);
    out[i] = sum;
  }
}

extern "C" __global__ void speaks(const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] < 0)
    printf("in[%d] = %d of %s, %f\n", i, in[i], "a row", 0.5 * in[i]);
}

extern "C" __global__ void timed(const float *in, float *out, long long *ticks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long start = clock64();
  float x = i < n - 1 ? in[i] + in[i + 1] : 0;
  if (i < n) {
    out[i] = x;
    ticks[i] = clock64() - start + clock();
  }
}

extern "C" __global__ void traps(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] == 0x7fffffff)
    __trap();
  if (in[i] == 0x7ffffffe)
    __brkpt();
  out[i] = in[i] + 1;
}

extern "C" __global__ void from_heap(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *own = (int *)malloc(4 * sizeof(int));
  if (!own || i >= n) {
    free(own);
    return;
  }
  for (int k = 0; k < 4; ++k)
    own[k] = i * k;
  out[i] = own[i & 3] + own[3];
  free(own);
}
