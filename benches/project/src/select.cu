#include <cub/device/device_select.cuh>

struct Positive {
  __device__ bool operator()(int value) const { return value > 0; }
};

cudaError_t select(void *work, size_t &bytes, const int *in, int *out, int *count, int n, cudaStream_t stream) {
  return cub::DeviceSelect::If(work, bytes, in, out, count, n, Positive{}, stream);
}
