#include <cub/device/device_run_length_encode.cuh>

cudaError_t runs(void *work, size_t &bytes, const int *in, int *values, int *lengths, int *count, int n, cudaStream_t stream) {
  return cub::DeviceRunLengthEncode::Encode(work, bytes, in, values, lengths, count, n, stream);
}
