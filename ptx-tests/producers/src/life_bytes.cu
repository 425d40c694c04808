// The game of life on bytes, collapsed over rows and columns.
// launch: life grid=3 block=128 args=u8[1050]%2,u8[1050],150,7
// launch: life grid=2 block=128 args=u8[355]%2,u8[355],71,5
extern "C" __global__ void __launch_bounds__(128)
life(const unsigned char *__restrict__ u0, unsigned char *__restrict__ u1,
     int nx, int ny) {
  int columns = nx - 2;
  int points = columns * (ny - 2);
  for (int point = blockIdx.x * 128 + threadIdx.x; point < points;
       point += gridDim.x * 128) {
    int j = point / columns + 1;
    int i = point % columns + 1;
    const unsigned char *p = u0 + j * nx + i;
    int around = p[-nx - 1] + p[-nx] + p[-nx + 1] + p[-1] + p[1] + p[nx - 1] +
                 p[nx] + p[nx + 1];
    u1[j * nx + i] = around == 3 || (around == 2 && p[0] == 1);
  }
}
