/* A row of taps on doubles, one gang-vector loop of 128 threads a gang. */

void conv1d(const double *restrict src, double *restrict dst, int n) {
#pragma acc parallel loop gang vector vector_length(128) deviceptr(src, dst)
  for (int i = 2; i < n - 2; ++i)
    dst[i] = 0.1 * (src[i - 2] + src[i + 2]) + 0.2 * (src[i - 1] + src[i + 1]) +
             0.4 * src[i];
}
