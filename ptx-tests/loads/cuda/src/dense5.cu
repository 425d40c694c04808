// ptxasw: remarks
// Elimination in a 5x5 block and its right-hand side, an array for each place of the matrix (number of systems apart). All of it
// is done in memory.
// launch: dense5 grid=2 block=32 args=f64[1500],f64[300],60
// launch: dense5 grid=1 block=32 args=f64[801]@1,f64[161]@1,32
#ifndef RESTRICT
#define RESTRICT
#endif

#define A(row, column) a[(5 * (row) + (column)) * n + i]
#define B(row) b[(row) * n + i]

extern "C" __global__ void dense5(double *RESTRICT a, double *RESTRICT b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int p = 0; p < 5; ++p) {
    double pivot = 1.0 / (4.0 + A(p, p));
#pragma unroll
    for (int column = p + 1; column < 5; ++column)
      A(p, column) *= pivot;
    B(p) *= pivot;
#pragma unroll
    for (int row = 0; row < 5; ++row) {
      if (row == p)
        continue;
      double factor = A(row, p);
#pragma unroll
      for (int column = p + 1; column < 5; ++column)
        A(row, column) -= factor * A(p, column);
      B(row) -= factor * B(p);
    }
  }
}
