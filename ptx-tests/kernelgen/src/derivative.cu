// First derivatives in curvilinear coordinates: metric and material terms
// along the axes, and the mixed x-y derivative of three components. 166 reads
// from ten arrays.
// launch: derivative grid=2,7,6 block=128 args=f32[18900],f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],f32[6300],f32[150],f32[7],f32[6300],0.5f,0.25f,150,7,6
// launch: derivative grid=2,5,5 block=48 args=f32[5325],f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],f32[1775],f32[71],f32[5],f32[1775],0.5f,0.25f,71,5,5
// launch: derivative grid=1,5,5 block=100 args=f32[7125],f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],f32[2375],f32[95],f32[5],f32[2375],0.5f,0.25f,95,5,5
// launch: derivative grid=5,1,5 block=16,8 args=f32[8400],f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],f32[2800],f32[70],f32[8],f32[2800],0.5f,0.25f,70,8,5
// launch: derivative grid=4,4,1 block=8,2,8 args=f32[5760],f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],f32[1920],f32[30],f32[8],f32[1920],0.5f,0.25f,30,8,8
#include "grid.h"

#define U(c, di, dj, dk) u[(c) * n + AT3(i + (di), j + (dj), k + (dk))]
#define P(a, di, dj, dk) a[AT3(i + (di), j + (dj), k + (dk))]

#define ALONG(F) (c2 * (F(2) - F(-2)) + c1 * (F(1) - F(-1)))

extern "C" __global__ void __launch_bounds__(128)
derivative(const float *__restrict__ u, const float *__restrict__ mu,
           const float *__restrict__ la, const float *__restrict__ met1,
           const float *__restrict__ met2, const float *__restrict__ met3,
           const float *__restrict__ met4, const float *__restrict__ strx,
           const float *__restrict__ stry, float *__restrict__ r, float c1,
           float c2, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
  int n = nx * ny * nz;
#define SX(s) ((2.0f * P(mu, s, 0, 0) + P(la, s, 0, 0)) * P(met1, s, 0, 0) *   \
               P(met2, s, 0, 0) * U(0, s, 0, 0) +                              \
               P(la, s, 0, 0) * P(met3, s, 0, 0) * U(1, s, 0, 0) +             \
               P(mu, s, 0, 0) * P(met4, s, 0, 0) * U(2, s, 0, 0))
#define SY(s) ((2.0f * P(mu, 0, s, 0) + P(la, 0, s, 0)) * P(met1, 0, s, 0) *   \
               P(met3, 0, s, 0) * U(1, 0, s, 0) +                              \
               P(la, 0, s, 0) * P(met2, 0, s, 0) * U(0, 0, s, 0) +             \
               P(mu, 0, s, 0) * P(met4, 0, s, 0) * U(2, 0, s, 0))
#define SZ(s) ((2.0f * P(mu, 0, 0, s) + P(la, 0, 0, s)) * P(met1, 0, 0, s) *   \
               P(met4, 0, 0, s) * U(2, 0, 0, s) +                              \
               P(la, 0, 0, s) * P(met2, 0, 0, s) * U(0, 0, 0, s) +             \
               P(mu, 0, 0, s) * P(met3, 0, 0, s) * U(1, 0, 0, s))
// d/dx at row t of component c, then d/dy over the rows.
#define DX(c, t) (c2 * (U(c, 2, t, 0) - U(c, -2, t, 0)) +                      \
                  c1 * (U(c, 1, t, 0) - U(c, -1, t, 0)))
#define DXY0(t) DX(0, t)
#define DXY1(t) DX(1, t)
#define DXY2(t) DX(2, t)
  float centre = (P(mu, 0, 0, 0) + P(la, 0, 0, 0)) *
                 (P(met1, 0, 0, 0) * P(met2, 0, 0, 0) +
                  P(met3, 0, 0, 0) * P(met4, 0, 0, 0));
  float mixed = ALONG(DXY0) + ALONG(DXY1) + ALONG(DXY2) - U(0, 0, 0, 0);
  int at = AT3(i, j, k);
  r[at] += strx[i] * ALONG(SX) + stry[j] * ALONG(SY) + ALONG(SZ) +
           centre * mixed;
}
