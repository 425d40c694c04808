// A softmax of rows, one warp for each.
__global__ void softmax(float *__restrict__ out, const float *__restrict__ in, int columns) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const float *line = in + (long long)row * columns;
  float most = -3e38f, sum = 0;
  for (int i = lane; i < columns; i += 32) most = fmaxf(most, line[i]);
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
  for (int i = lane; i < columns; i += 32) sum += expf(line[i] - most);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
  for (int i = lane; i < columns; i += 32) out[(long long)row * columns + i] = expf(line[i] - most) / sum;
}
