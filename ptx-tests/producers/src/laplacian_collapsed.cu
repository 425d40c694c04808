// A seven-point Laplacian in double precision as NVHPC's OpenACC writes `collapse(3)`: 64-bit trip count, two divisions.
// launch: laplacian grid=4 block=128 args=f64[2800],f64[2800],f64:0.5,f64:0.25,70,8,5
// launch: laplacian grid=2 block=128 args=f64[1775],f64[1775],f64:0.5,f64:0.25,71,5,5
extern "C" __global__ void __launch_bounds__(128)
laplacian(const double *__restrict__ u0, double *__restrict__ u1,
          double alpha, double beta, int nx, int ny, int nz) {
  long columns = nx - 2;
  long rows = ny - 2;
  long points = columns * rows * (nz - 2);
  for (long point = blockIdx.x * 128L + threadIdx.x; point < points;
       point += gridDim.x * 128L) {
    int i = (int)(point % columns) + 1;
    int j = (int)(point / columns % rows) + 1;
    int k = (int)(point / columns / rows) + 1;
#define U(di, dj, dk) u0[((long)(k + dk) * ny + (j + dj)) * nx + (i + di)]
    u1[((long)k * ny + j) * nx + i] =
        alpha * U(0, 0, 0) + beta * (U(-1, 0, 0) + U(1, 0, 0) + U(0, -1, 0) +
                                     U(0, 1, 0) + U(0, 0, -1) + U(0, 0, 1));
  }
}
