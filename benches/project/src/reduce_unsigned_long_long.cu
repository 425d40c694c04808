#include <cub/device/device_reduce.cuh>

// Min of all elements.
cudaError_t reduce(void *work, size_t &bytes, const unsigned long long *in, unsigned long long *out, int n, cudaStream_t stream) {
  return cub::DeviceReduce::Min(work, bytes, in, out, n, stream);
}
