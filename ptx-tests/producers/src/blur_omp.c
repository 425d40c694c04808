/* OpenMP target: a team a row of bytes, its threads the points. */

void blur(const unsigned char *restrict src, unsigned char *restrict dst, int nx, int ny) {
#pragma omp target teams distribute is_device_ptr(src, dst)
  for (int j = 1; j < ny - 1; ++j) {
#pragma omp parallel for simd
    for (int i = 1; i < nx - 1; ++i) {
      const unsigned char *p = src + j * nx + i;
      dst[j * nx + i] = (p[-nx - 1] + p[-nx] + p[-nx + 1] + p[-1] + p[0] + p[1] +
                         p[nx - 1] + p[nx] + p[nx + 1]) / 9;
    }
  }
}
