// ptxasw: remarks
// llvm: yes
// y += a x with a grid's stride. Its twin reads the bound again in each iteration, which the store may have hit.
// launch: grid_map grid=2 block=16 args=f32[1],f32[1],0.5f,0
// launch: grid_map grid=2 block=16 args=f32[33],f32[33],0.5f,33
// launch: grid_map grid=2 block=16 args=f32[101],f32[101],0.5f,101
// launch: grid_map grid=2 block=16 args=f32[131],f32[131],0.5f,131
// launch: grid_map grid=2 block=16 args=f32[233],f32[233],0.5f,233
// launch: grid_map grid=2 block=16 args=f32[265],f32[265],0.5f,265
// launch: grid_map grid=2 block=16 args=f32[647],f32[647],0.5f,647
// launch: grid_map grid=1 block=32 args=f32[300]@32,same0,0.5f,265
// launch: grid_map grid=1 block=32 args=f32[300]@32,same0@0,0.5f,265
// launch: grid_map grid=1 block=32 args=f32[530],same0@265,0.5f,265
// launch: grid_map_not grid=2 block=16 args=i32[1],i32[1],3,i32[1]:value=0
// launch: grid_map_not grid=2 block=16 args=i32[101],i32[101],3,i32[1]:value=101
// launch: grid_map_not grid=2 block=16 args=i32[265],i32[265],3,i32[1]:value=265
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void grid_map(const float *RESTRICT x, float *RESTRICT y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}

extern "C" __global__ void grid_map_not(const int *RESTRICT x, int *y, int a, const int *n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *n; i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}
