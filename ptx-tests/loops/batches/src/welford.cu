// ptxasw: remarks
// Mean and variance in one go, with a count that grows in the loop. Its twin leaves where a value is no number.
// launch: welford grid=2 block=16 args=f32[1],f32[64]:zero,0
// launch: welford grid=2 block=16 args=f32[33],f32[64]:zero,33
// launch: welford grid=2 block=16 args=f32[101],f32[64]:zero,101
// launch: welford grid=2 block=16 args=f32[131],f32[64]:zero,131
// launch: welford grid=2 block=16 args=f32[233],f32[64]:zero,233
// launch: welford grid=2 block=16 args=f32[265],f32[64]:zero,265
// launch: welford grid=2 block=16 args=f32[647],f32[64]:zero,647
// launch: welford_not grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: welford_not grid=2 block=16 args=f32[101],f32[32]:zero,101
// launch: welford_not grid=2 block=16 args=f32[265],f32[32]:zero,265

extern "C" __global__ void welford(const float *x, float *out, int n) {
  float mean = 0, spread = 0;
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    ++count;
    float delta = value - mean;
    mean += delta / count;
    spread += delta * (value - mean);
  }
  out[2 * (blockIdx.x * blockDim.x + threadIdx.x)] = mean;
  out[2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1] = spread;
}

extern "C" __global__ void welford_not(const float *x, float *out, int n) {
  float mean = 0;
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = x[i];
    if (value != value)
      break;
    ++count;
    mean += (value - mean) / count;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = mean;
}
