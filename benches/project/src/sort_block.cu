#include <cub/block/block_radix_sort.cuh>

__global__ void sort(int *keys) {
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  __shared__ typename Sort::TempStorage storage;
  int items[4];
  for (int n = 0; n < 4; n++) items[n] = keys[(blockIdx.x * 128 + threadIdx.x) * 4 + n];
  Sort(storage).Sort(items);
  for (int n = 0; n < 4; n++) keys[(blockIdx.x * 128 + threadIdx.x) * 4 + n] = items[n];
}
