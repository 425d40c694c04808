// ptxasw: explain
// As compilers unroll it: four iterations in one, and a loop for the rest.
// The loop for the rest comes first, and is covered. The other one begins where that one ended, or where the kernel
// began: its first index is a join of a loop's last value and of a number, and is taken as another number in each lane
// though a copy for whole warps would have all lanes come the same way. And no test stands in front of it that bounds
// its index: that it is below n follows only from the quotient (n - 3 - i) / step, by which the trips are counted.
// launch: grid_stride_unrolled grid=2 block=128 args=f32[4100],f32[4100],4077
// launch: grid_stride_unrolled grid=3 block=48 args=f32[2700],f32[2700],2633
// launch: grid_stride_unrolled grid=2 block=16,8 args=f32[600],f32[4700],571
// launch: grid_stride_unrolled grid=1 block=1000 args=f32[9100],f32[9100],9077
extern "C" __global__ void grid_stride_unrolled(const float *__restrict__ in, float *__restrict__ out, int n) {
  int step = blockDim.x * gridDim.x;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += step)
    out[i * blockDim.y + threadIdx.y] = in[i - 1] - in[i] + in[i + 1];
}
