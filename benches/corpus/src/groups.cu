// Cooperative groups: tiles, coalesced threads, the whole grid.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <typename Tile> __device__ float tile_sum(Tile tile, float x) {
  for (int k = tile.size() / 2; k > 0; k /= 2)
    x += tile.shfl_xor(x, k);
  return x;
}

extern "C" __global__ void tiles(const float *in, float *out, int n) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0;
  float sum = tile_sum(warp, x) + tile_sum(four, x * x);
  block.sync();
  if (i < n)
    out[i] = sum + four.shfl(x, 0) + (float)warp.meta_group_rank();
}

// One atomic for all lanes that came.
extern "C" __global__ void filtered(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] <= 0)
    return;
  auto here = cg::coalesced_threads();
  int at = 0;
  if (here.thread_rank() == 0)
    at = atomicAdd(count, (int)here.size());
  out[here.shfl(at, 0) + here.thread_rank()] = in[i];
}

extern "C" __global__ void relax_rows(const float *__restrict__ in, float *__restrict__ out, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
  warp.sync();
}

extern "C" __global__ void whole_grid(float *a, float *b, int n, int rounds) {
  auto grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      if (i > 0 && i < n - 1)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float *other = a;
    a = b;
    b = other;
  }
}
