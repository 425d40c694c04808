// ptxasw: remarks
// Group norm of images: channels of a group by planes, sums in an outer loop over channels, rows of pixels in the inner one. Its twin's pixels
// come by an asynchronous load that acquires.
// launch: group_norm grid=2 block=32 args=f32[1],f32[64]:zero,f32[64]:zero,3,0
// launch: group_norm grid=2 block=32 args=f32[198],f32[64]:zero,f32[64]:zero,3,33
// launch: group_norm grid=2 block=32 args=f32[606],f32[64]:zero,f32[64]:zero,3,101
// launch: group_norm grid=2 block=32 args=f32[786],f32[64]:zero,f32[64]:zero,3,131
// launch: group_norm grid=2 block=32 args=f32[1398],f32[64]:zero,f32[64]:zero,3,233
// launch: group_norm grid=2 block=32 args=f32[1590],f32[64]:zero,f32[64]:zero,3,265
// launch: group_norm grid=2 block=32 args=f32[3882],f32[64]:zero,f32[64]:zero,3,647
// launch: group_norm_not grid=1 block=32 args=f32[1],f32[32]:zero,0
// launch: group_norm_not grid=1 block=32 args=f32[101],f32[32]:zero,101
// launch: group_norm_not grid=1 block=32 args=f32[265],f32[32]:zero,265

extern "C" __global__ void group_norm(const float *x, float *mean, float *variance, int channels, int pixels) {
  const float *group = x + (long long)blockIdx.x * channels * pixels;
  float sum = 0, squares = 0;
  for (int channel = 0; channel < channels; ++channel)
    for (int k = threadIdx.x; k < pixels; k += blockDim.x) {
      float value = group[channel * pixels + k];
      sum += value;
      squares += value * value;
    }
  int all = channels * pixels;
  mean[blockIdx.x * blockDim.x + threadIdx.x] = sum / all;
  variance[blockIdx.x * blockDim.x + threadIdx.x] = squares / all;
}

extern "C" __global__ void group_norm_not(const float *x, float *mean, int pixels) {
  float sum = 0;
  for (int k = threadIdx.x; k < pixels; k += blockDim.x) {
    float value;
    asm volatile("ld.acquire.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(x + k)) : "memory");
    sum += value;
  }
  mean[threadIdx.x] = sum / pixels;
}
