// ptxasw: remarks
// From one pointer to another, compared by `!=`. Its twin goes along a list of pointers.
// launch: pointer_sum grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: pointer_sum grid=2 block=16 args=f32[32],f32[32]:zero,1
// launch: pointer_sum grid=2 block=16 args=f32[96],f32[32]:zero,3
// launch: pointer_sum grid=2 block=16 args=f32[128],f32[32]:zero,4
// launch: pointer_sum grid=2 block=16 args=f32[160],f32[32]:zero,5
// launch: pointer_sum grid=2 block=16 args=f32[224],f32[32]:zero,7
// launch: pointer_sum grid=2 block=16 args=f32[256],f32[32]:zero,8
// launch: pointer_sum grid=2 block=16 args=f32[288],f32[32]:zero,9
// launch: pointer_sum grid=2 block=16 args=f32[672],f32[32]:zero,21
// launch: pointer_sum_not grid=2 block=16 args=u64[64]:zero,f32[32]:zero
// launch: pointer_sum_not grid=1 block=1 args=&{u64[2]:zero,0.5f},f32[1]:zero

struct Node {
  const Node *next;
  float value;
};

extern "C" __global__ void pointer_sum(const float *x, float *out, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *at = x + row * columns, *end = at + columns;
  float sum = 0;
  while (at != end)
    sum += *at++;
  out[row] = sum;
}

extern "C" __global__ void pointer_sum_not(const Node *x, float *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (const Node *at = x + row; at; at = at->next)
    sum += at->value;
  out[row] = sum;
}
