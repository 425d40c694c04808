// In place: the store between the loads may hit what the next one reads.
// launch: in_place grid=1 block=32 args=f32[200],f32[200],100
extern "C" __global__ void in_place(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  float left = a[i];
  b[i] = left;
  float right = a[i + 1];
  b[i + 100] = right;
}
