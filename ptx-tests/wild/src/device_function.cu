// Calls: a function that is not inlined, recursion, a pointer to a function.
// launch: shaped grid=2 block=64 args=f32[200],f32[200],120
#include <math.h>

__device__ __noinline__ float weight(float x, int depth) {
  return depth == 0 ? x : 0.5f * weight(x * 1.25f, depth - 1) + 1.0f;
}

__device__ float square(float x) { return x * x; }
__device__ float root(float x) { return sqrtf(fabsf(x)); }
typedef float (*Shape)(float);
__device__ Shape shapes[] = {square, root};

extern "C" __global__ void shaped(const float *__restrict__ in,
                                  float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n)
    return;
  float sum = in[i] + in[i + 1];
  out[i] = shapes[i & 1](weight(sum, i & 3));
}
