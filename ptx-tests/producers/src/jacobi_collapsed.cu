// A Jacobi sweep as NVHPC's OpenACC writes `collapse(2)`: a grid-stride loop over all points, blocks of 128 threads.
// clang: yes
// launch: jacobi grid=3 block=128 args=f32[1050],f32[1050],0.5f,0.25f,0.125f,150,7
// launch: jacobi grid=2 block=128 args=f32[355],f32[355],0.5f,0.25f,0.125f,71,5
extern "C" __global__ void __launch_bounds__(128)
jacobi(const float *__restrict__ w0, float *__restrict__ w1, float c0,
       float c1, float c2, int nx, int ny) {
  int columns = nx - 2;
  int points = columns * (ny - 2);
  for (int point = blockIdx.x * 128 + threadIdx.x; point < points;
       point += gridDim.x * 128) {
    int j = point / columns + 1;
    int i = point % columns + 1;
    const float *row = w0 + (long)j * nx;
    const float *below = row - nx;
    const float *above = row + nx;
    w1[(long)j * nx + i] =
        c0 * row[i] + c1 * (row[i - 1] + below[i] + row[i + 1] + above[i]) +
        c2 * (below[i - 1] + above[i - 1] + below[i + 1] + above[i + 1]);
  }
}
