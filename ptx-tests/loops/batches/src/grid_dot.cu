// ptxasw: remarks
// llvm: yes
// A product of vectors with a grid's stride, counted by size_t. Its twin has a barrier in the loop.
// launch: grid_dot grid=2 block=16 args=f64[1],f64[1],f64[32]:zero,0
// launch: grid_dot grid=2 block=16 args=f64[33],f64[33],f64[32]:zero,33
// launch: grid_dot grid=2 block=16 args=f64[101],f64[101],f64[32]:zero,101
// launch: grid_dot grid=2 block=16 args=f64[131],f64[131],f64[32]:zero,131
// launch: grid_dot grid=2 block=16 args=f64[233],f64[233],f64[32]:zero,233
// launch: grid_dot grid=2 block=16 args=f64[265],f64[265],f64[32]:zero,265
// launch: grid_dot grid=2 block=16 args=f64[647],f64[647],f64[32]:zero,647
// launch: grid_dot_not grid=2 block=16 args=f64[1],f64[1],f64[32]:zero,0
// launch: grid_dot_not grid=2 block=16 args=f64[101],f64[101],f64[32]:zero,101
// launch: grid_dot_not grid=2 block=16 args=f64[265],f64[265],f64[32]:zero,265

typedef unsigned long long size;

extern "C" __global__ void grid_dot(const double *a, const double *b, double *out, size n) {
  size i = (size)blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (; i < n; i += (size)gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void grid_dot_not(const double *a, const double *b, double *out, int n) {
  __shared__ double products[32];
  double sum = 0;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    int i = first + threadIdx.x;
    products[threadIdx.x] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    sum += products[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
