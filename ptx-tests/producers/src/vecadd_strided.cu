// A sum of two arrays in a grid-stride loop.
// launch: vecadd grid=3 block=128 args=f32[1000],f32[1000],f32[1000],1000
extern "C" __global__ void __launch_bounds__(128)
vecadd(const float *__restrict__ a, const float *__restrict__ b,
       float *__restrict__ c, int n) {
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    c[i] = a[i] + b[i];
}
