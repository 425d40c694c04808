// ptxasw: remarks
// Weights of 8 bits, four to a word, with signs; each is loaded as a char.
// launch: weights grid=2 block=64 args=i8[800],i8[800],i32[100]:zero,100
// launch: weights grid=1 block=32 args=i8[264]@4,i8[264]@8,i32[33]@1,32
// launch: weights grid=1 block=32 args=i8[264]@1,i8[264]@3,i32[33],32
// launch: weights grid=1 block=32 args=i8[264]@2,i8[264],i32[33],32
struct Quad {
  signed char at[4];
};

extern "C" __global__ void weights(const Quad *weight, const Quad *input, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int dot = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half)
#pragma unroll
    for (int k = 0; k < 4; ++k)
      dot += weight[2 * i + half].at[k] * input[2 * i + half].at[k];
  sum[i] = dot;
}
