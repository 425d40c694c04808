// ptxasw: remarks
// a = b + s c with a grid's stride. Its twin reads b as volatile.
// launch: grid_triad grid=2 block=16 args=f32[1]:zero,f32[1],f32[1],0.25f,0
// launch: grid_triad grid=2 block=16 args=f32[33]:zero,f32[33],f32[33],0.25f,33
// launch: grid_triad grid=2 block=16 args=f32[101]:zero,f32[101],f32[101],0.25f,101
// launch: grid_triad grid=2 block=16 args=f32[131]:zero,f32[131],f32[131],0.25f,131
// launch: grid_triad grid=2 block=16 args=f32[233]:zero,f32[233],f32[233],0.25f,233
// launch: grid_triad grid=2 block=16 args=f32[265]:zero,f32[265],f32[265],0.25f,265
// launch: grid_triad grid=2 block=16 args=f32[647]:zero,f32[647],f32[647],0.25f,647
// launch: grid_triad grid=1 block=32 args=f32[600]@32,same0@0,same0@160,0.25f,265
// launch: grid_triad_not grid=2 block=16 args=f32[1]:zero,f32[1],f32[1],0.25f,0
// launch: grid_triad_not grid=2 block=16 args=f32[101]:zero,f32[101],f32[101],0.25f,101
// launch: grid_triad_not grid=2 block=16 args=f32[265]:zero,f32[265],f32[265],0.25f,265
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void grid_triad(float *RESTRICT a, const float *RESTRICT b, const float *RESTRICT c, float s, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    a[i] = b[i] + s * c[i];
}

extern "C" __global__ void grid_triad_not(float *RESTRICT a, const volatile float *RESTRICT b, const float *RESTRICT c, float s, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    a[i] = b[i] + s * c[i];
}
