// ptxasw: remarks
// llvm: yes
// The end of the array, or a budget that is used up: both exits are pure. Its twin's second exit is what was read.
// launch: two_exits grid=2 block=16 args=f32[1],f32[32]:zero,0,100,1
// launch: two_exits grid=2 block=16 args=f32[33],f32[32]:zero,33,100,1
// launch: two_exits grid=2 block=16 args=f32[101],f32[32]:zero,101,100,1
// launch: two_exits grid=2 block=16 args=f32[131],f32[32]:zero,131,100,1
// launch: two_exits grid=2 block=16 args=f32[233],f32[32]:zero,233,100,1
// launch: two_exits grid=2 block=16 args=f32[265],f32[32]:zero,265,100,1
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,100,1
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,0,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,10,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,30,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,40,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,50,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,70,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,80,10
// launch: two_exits grid=2 block=16 args=f32[647],f32[32]:zero,647,90,10
// launch: two_exits_not grid=2 block=16 args=f32[1],f32[32]:zero,0,0.75f
// launch: two_exits_not grid=2 block=16 args=f32[101],f32[32]:zero,101,0.75f
// launch: two_exits_not grid=2 block=16 args=f32[265],f32[32]:zero,265,0.75f

extern "C" __global__ void two_exits(const float *x, float *out, int n, int budget, int price) {
  int step = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    budget -= price;
    if (budget < 0)
      break;
    sum += x[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void two_exits_not(const float *x, float *out, int n, float most) {
  int step = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    sum += x[i];
    if (sum > most)
      break;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
