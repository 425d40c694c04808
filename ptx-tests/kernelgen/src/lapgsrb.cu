// Fourth-order Laplacian of a red-black Gauss-Seidel sweep: the centre, two
// steps along each axis, and the twelve diagonals of the three planes.
// launch: lapgsrb grid=2,7,6 block=128 args=f32[6300],f32[6300],0.5f,0.25f,0.125f,0.0625f,150,7,6
// launch: lapgsrb grid=2,5,5 block=48 args=f32[1775],f32[1775],0.5f,0.25f,0.125f,0.0625f,71,5,5
// launch: lapgsrb grid=1,5,5 block=100 args=f32[2375],f32[2375],0.5f,0.25f,0.125f,0.0625f,95,5,5
// launch: lapgsrb grid=5,1,5 block=16,8 args=f32[2800],f32[2800],0.5f,0.25f,0.125f,0.0625f,70,8,5
// launch: lapgsrb grid=4,4,1 block=8,2,8 args=f32[1920],f32[1920],0.5f,0.25f,0.125f,0.0625f,30,8,8
#include "grid.h"

extern "C" __global__ void __launch_bounds__(128)
lapgsrb(const float *__restrict__ u0, float *__restrict__ u1, float c0,
        float c1, float c2, float c3, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
#define U(di, dj, dk) u0[AT3(i + (di), j + (dj), k + (dk))]
  u1[AT3(i, j, k)] =
      c0 * U(0, 0, 0) +
      c1 * (U(-1, 0, 0) + U(1, 0, 0) + U(0, -1, 0) + U(0, 1, 0) +
            U(0, 0, -1) + U(0, 0, 1)) +
      c2 * (U(-1, -1, 0) + U(1, -1, 0) + U(-1, 1, 0) + U(1, 1, 0) +
            U(-1, 0, -1) + U(1, 0, -1) + U(-1, 0, 1) + U(1, 0, 1) +
            U(0, -1, -1) + U(0, 1, -1) + U(0, -1, 1) + U(0, 1, 1)) +
      c3 * (U(-2, 0, 0) + U(2, 0, 0) + U(0, -2, 0) + U(0, 2, 0) +
            U(0, 0, -2) + U(0, 0, 2));
}
