#include <cub/device/device_reduce.cuh>

// Max of all elements.
cudaError_t reduce(void *work, size_t &bytes, const int *in, int *out, int n, cudaStream_t stream) {
  return cub::DeviceReduce::Max(work, bytes, in, out, n, stream);
}
