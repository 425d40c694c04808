// ptxasw: remarks
// As compilers unroll it: four iterations in one, and a loop for the rest.
// The loop for the rest comes first. The other one begins where that one ended, or where the kernel began: in a warp that
// stays in the copy all lanes came the same way and in as many iterations, so that its first index is as far on in all of
// them. No test in front of it bounds that index; where a register holds the one that is loaded from, it is checked.
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
