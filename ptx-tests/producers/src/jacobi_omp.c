/* OpenMP target: teams share the rows, the lanes of a warp (GCC) or the threads
   of a block (clang) the points. */

void jacobi(const float *restrict w0, float *restrict w1, float c0, float c1,
            float c2, int nx, int ny) {
#pragma omp target teams distribute parallel for simd collapse(2) is_device_ptr(w0, w1)
  for (int j = 1; j < ny - 1; ++j)
    for (int i = 1; i < nx - 1; ++i)
      w1[j * nx + i] = c0 * w0[j * nx + i] +
                       c1 * (w0[j * nx + i - 1] + w0[(j - 1) * nx + i] +
                             w0[j * nx + i + 1] + w0[(j + 1) * nx + i]) +
                       c2 * (w0[(j - 1) * nx + i - 1] + w0[(j + 1) * nx + i - 1] +
                             w0[(j - 1) * nx + i + 1] + w0[(j + 1) * nx + i + 1]);
}
