/* OpenMP target: one loop, its trip count 64-bit. */

void conv1d(const float *restrict src, float *restrict dst, long n) {
#pragma omp target teams distribute parallel for is_device_ptr(src, dst)
  for (long i = 2; i < n - 2; ++i)
    dst[i] = 0.1f * (src[i - 2] + src[i + 2]) + 0.2f * (src[i - 1] + src[i + 1]) +
             0.4f * src[i];
}
