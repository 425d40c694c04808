/* OpenACC, compiled by GCC: a gang a row, a thread a point. */

void jacobi(const float *restrict w0, float *restrict w1, float c0, float c1,
            float c2, int nx, int ny) {
#pragma acc parallel loop gang vector_length(32) deviceptr(w0, w1)
  for (int j = 1; j < ny - 1; ++j) {
    const float *row = w0 + j * nx, *below = row - nx, *above = row + nx;
    float *result = w1 + j * nx;
#pragma acc loop vector
    for (int i = 1; i < nx - 1; ++i)
      result[i] =
          c0 * row[i] + c1 * (row[i - 1] + below[i] + row[i + 1] + above[i]) +
          c2 * (below[i - 1] + above[i - 1] + below[i + 1] + above[i + 1]);
  }
}
