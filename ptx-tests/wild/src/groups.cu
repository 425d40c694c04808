// Cooperative groups: tiles of a warp, a coalesced group.
// nvcc: -std=c++17
// launch: grouped grid=2 block=64 args=u32[128]%4,u32[9]:zero,100
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grouped(const int *__restrict__ in, int *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  int value = i < n ? in[i] : 0;
  for (int d = tile.size() / 2; d > 0; d /= 2)
    value += tile.shfl_xor(value, d);
  block.sync();
  if (value > 10) {
    cg::coalesced_group some = cg::coalesced_threads();
    if (some.thread_rank() == 0)
      atomicAdd(out, (int)some.size());
  }
  if (tile.thread_rank() == 0 && i < n)
    out[1 + i / 16] = value;
}
