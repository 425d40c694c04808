// ptxasw: remarks
// The base of each row is loaded, each element behind it: two rounds a batch. Its twin's base is loaded again behind a store that may change it.
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,0
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,1
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,3
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,4
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,5
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,7
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,8
// launch: pointers grid=2 block=16 args=&{f32[32]:seed=0,f32[32]:seed=1,f32[32]:seed=2,f32[32]:seed=3,f32[32]:seed=4,f32[32]:seed=5,f32[32]:seed=6,f32[32]:seed=7,f32[32]:seed=8},f32[32]:zero,9
// launch: pointers_not grid=2 block=16 args=&{u8[1]:zero,i32:7},u8[1],0
// launch: pointers_not grid=2 block=16 args=&{u8[101]:zero,i32:7},u8[101],101
// launch: pointers_not grid=2 block=16 args=&{u8[265]:zero,i32:7},u8[265],265

struct Vector {
  unsigned char *data;
  int size;
};

extern "C" __global__ void pointers(const float *const *rows, float *out, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += rows[k][column];
  out[column] = sum;
}

extern "C" __global__ void pointers_not(const Vector *vector, const unsigned char *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    vector->data[i] = x[i] + 1;
}
