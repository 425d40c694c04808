// ptxasw: remarks
// Four elements for each thread, a block's width apart: the store of one may be what the next reads.
// launch: saxpy grid=2 block=64 args=0.5f,f32[512],f32[512],512
// launch: saxpy grid=2 block=96 args=0.5f,f32[500]@1,f32[500]@2,450
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void saxpy(float a, const float *RESTRICT x, float *RESTRICT y, int n) {
  int i = 4 * blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x;
  if (i + 3 * step >= n)
    return;
  y[i] = a * x[i] + y[i];
  y[i + step] = a * x[i + step] + y[i + step];
  y[i + 2 * step] = a * x[i + 2 * step] + y[i + 2 * step];
  y[i + 3 * step] = a * x[i + 3 * step] + y[i + 3 * step];
}
