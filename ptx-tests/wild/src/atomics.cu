// Atomics, reductions by shuffle and vote, fences, a last-block reduction.
// launch: total grid=1 block=64 args=f32[200]:zero,f32[1]:zero,f32[1]:zero,u64[1]:zero,200
__device__ unsigned blocks_done;

extern "C" __global__ void total(const float *__restrict__ in, float *partial,
                                 float *result, unsigned long long *peak,
                                 int n) {
  __shared__ float warps[32];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    sum += in[i];
    atomicMax(peak, (unsigned long long)__float_as_uint(in[i]));
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if ((threadIdx.x & 31) == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w)
      sum += warps[w];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && __any_sync(__activemask(), threadIdx.x == 0))
    atomicAdd(result, partial[threadIdx.x % gridDim.x]);
}
