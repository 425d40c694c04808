// Fourth-order elastic operator with variable coefficients and stretched
// axes: second derivatives along each axis and mixed derivatives in the three
// planes, for three displacement components. 179 reads from seven arrays.
// launch: rhs4 grid=2,7,6 block=128 args=f32[18900],f32[6300],f32[6300],f32[150],f32[7],f32[6],f32[18900],0.5f,0.25f,150,7,6
// launch: rhs4 grid=2,5,5 block=48 args=f32[5325],f32[1775],f32[1775],f32[71],f32[5],f32[5],f32[5325],0.5f,0.25f,71,5,5
// launch: rhs4 grid=1,5,5 block=100 args=f32[7125],f32[2375],f32[2375],f32[95],f32[5],f32[5],f32[7125],0.5f,0.25f,95,5,5
// launch: rhs4 grid=5,1,5 block=16,8 args=f32[8400],f32[2800],f32[2800],f32[70],f32[8],f32[5],f32[8400],0.5f,0.25f,70,8,5
// launch: rhs4 grid=4,4,1 block=8,2,8 args=f32[5760],f32[1920],f32[1920],f32[30],f32[8],f32[8],f32[5760],0.5f,0.25f,30,8,8
#include "grid.h"

// Component c of the displacement, n points each.
#define U(c, di, dj, dk) u[(c) * n + AT3(i + (di), j + (dj), k + (dk))]
#define MU(di, dj, dk) mu[AT3(i + (di), j + (dj), k + (dk))]
#define LA(di, dj, dk) la[AT3(i + (di), j + (dj), k + (dk))]

// d/ds (m d/ds f): m and f are macros of the offset along the axis.
#define SECOND(M, F)                                                           \
  (((M(-1)) - 0.75f * (M(0) + M(-2))) * (F(-2) - F(0)) +                       \
   (M(-2) + M(1) + 3.0f * (M(0) + M(-1))) * (F(-1) - F(0)) +                   \
   (M(2) + M(-1) + 3.0f * (M(0) + M(1))) * (F(1) - F(0)) +                     \
   ((M(1)) - 0.75f * (M(0) + M(2))) * (F(2) - F(0)))

// One first derivative, at an offset of the other axis.
#define FIRST(G, t) (G(-2, t) - G(2, t) + 8.0f * (G(1, t) - G(-1, t)))

// Mixed derivative: m weighs the outer one.
#define MIXED(M, G)                                                            \
  (M(-2) * FIRST(G, -2) - M(2) * FIRST(G, 2) +                                 \
   8.0f * (M(1) * FIRST(G, 1) - M(-1) * FIRST(G, -1)))

extern "C" __global__ void __launch_bounds__(128)
rhs4(const float *__restrict__ u, const float *__restrict__ mu,
     const float *__restrict__ la, const float *__restrict__ strx,
     const float *__restrict__ stry, const float *__restrict__ strz,
     float *__restrict__ lu, float a1, float cof, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
  int n = nx * ny * nz;
#define MX(s) (MU(s, 0, 0) * strx[i + (s)])
#define MY(s) (MU(0, s, 0) * stry[j + (s)])
#define MZ(s) (MU(0, 0, s) * strz[k + (s)])
#define EX(s) ((2.0f * MU(s, 0, 0) + LA(s, 0, 0)) * strx[i + (s)])
#define EY(s) ((2.0f * MU(0, s, 0) + LA(0, s, 0)) * stry[j + (s)])
#define EZ(s) ((2.0f * MU(0, 0, s) + LA(0, 0, s)) * strz[k + (s)])
#define LX(s) LA(s, 0, 0)
#define LY(s) LA(0, s, 0)
#define LZ(s) LA(0, 0, s)
#define NX(s) MU(s, 0, 0)
#define NY(s) MU(0, s, 0)
#define NZ(s) MU(0, 0, s)
#define U0X(s) U(0, s, 0, 0)
#define U0Y(s) U(0, 0, s, 0)
#define U0Z(s) U(0, 0, 0, s)
#define U1X(s) U(1, s, 0, 0)
#define U1Y(s) U(1, 0, s, 0)
#define U1Z(s) U(1, 0, 0, s)
#define U2X(s) U(2, s, 0, 0)
#define U2Y(s) U(2, 0, s, 0)
#define U2Z(s) U(2, 0, 0, s)
// Inner derivative along the first letter, weight along the second.
#define U0YX(s, t) U(0, t, s, 0)
#define U0XY(s, t) U(0, s, t, 0)
#define U0ZX(s, t) U(0, t, 0, s)
#define U0XZ(s, t) U(0, s, 0, t)
#define U1YX(s, t) U(1, t, s, 0)
#define U1XY(s, t) U(1, s, t, 0)
#define U1ZY(s, t) U(1, 0, t, s)
#define U1YZ(s, t) U(1, 0, s, t)
#define U2ZX(s, t) U(2, t, 0, s)
#define U2XZ(s, t) U(2, s, 0, t)
#define U2ZY(s, t) U(2, 0, t, s)
#define U2YZ(s, t) U(2, 0, s, t)
  float r0 = SECOND(EX, U0X) + SECOND(MY, U0Y) + SECOND(MZ, U0Z) +
             MIXED(LX, U1YX) + MIXED(NY, U1XY) + MIXED(LX, U2ZX) +
             MIXED(NZ, U2XZ);
  float r1 = SECOND(MX, U1X) + SECOND(EY, U1Y) + SECOND(MZ, U1Z) +
             MIXED(NX, U0YX) + MIXED(LY, U0XY) + MIXED(LY, U2ZY) +
             MIXED(NZ, U2YZ);
  float r2 = SECOND(MX, U2X) + SECOND(MY, U2Y) + SECOND(EZ, U2Z) +
             MIXED(NX, U0ZX) + MIXED(LZ, U0XZ) + MIXED(NY, U1ZY) +
             MIXED(LZ, U1YZ);
  int at = AT3(i, j, k);
  lu[at] = a1 * lu[at] + cof * r0;
  lu[n + at] = a1 * lu[n + at] + cof * r1;
  lu[2 * n + at] = a1 * lu[2 * n + at] + cof * r2;
}
