#include <cub/block/block_reduce.cuh>

// One sum for each block, in three ways.
template <cub::BlockReduceAlgorithm WAY>
__device__ void sum(float *out, const float *in, int n) {
  using Reduce = cub::BlockReduce<float, 256, WAY>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * 256 + threadIdx.x;
  float total = Reduce(storage).Sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
__global__ void raking(float *out, const float *in, int n) { sum<cub::BLOCK_REDUCE_RAKING>(out, in, n); }
__global__ void warps(float *out, const float *in, int n) { sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(out, in, n); }
