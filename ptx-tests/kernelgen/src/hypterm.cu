// Hyperbolic terms of compressible flow: eighth-order differences of the
// conserved variables and their fluxes along all three axes, with a sponge
// layer at the point itself. 152 reads from eight arrays, five written.
// launch: hypterm grid=2,10,10 block=128 args=f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],f32[14000],{0.8f,-0.2f,0.04f,-0.004f},0.5f,140,10,10
// launch: hypterm grid=2,9,9 block=48 args=f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],f32[5751],{0.8f,-0.2f,0.04f,-0.004f},0.5f,71,9,9
// launch: hypterm grid=1,9,9 block=100 args=f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],f32[7695],{0.8f,-0.2f,0.04f,-0.004f},0.5f,95,9,9
// launch: hypterm grid=5,2,9 block=16,8 args=f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],f32[7560],{0.8f,-0.2f,0.04f,-0.004f},0.5f,70,12,9
// launch: hypterm grid=4,6,2 block=8,2,8 args=f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],f32[4320],{0.8f,-0.2f,0.04f,-0.004f},0.5f,30,12,12
#include "grid.h"

struct Weights {
  float w1, w2, w3, w4;
};

// d/ds of an expression E(s), by differences at +-1 to +-4.
#define DIFF(E)                                                                \
  (w.w1 * (E(1) - E(-1)) + w.w2 * (E(2) - E(-2)) + w.w3 * (E(3) - E(-3)) +     \
   w.w4 * (E(4) - E(-4)))

extern "C" __global__ void __launch_bounds__(128)
hypterm(float *__restrict__ f0, float *__restrict__ f1, float *__restrict__ f2,
        float *__restrict__ f3, float *__restrict__ f4,
        const float *__restrict__ mx, const float *__restrict__ my,
        const float *__restrict__ mz, const float *__restrict__ en,
        const float *__restrict__ u, const float *__restrict__ v,
        const float *__restrict__ q, const float *__restrict__ p, Weights w,
        float sponge, int nx, int ny, int nz) {
  int i = X;
  int j = Y;
  int k = Z;
  if (i < 4 || i >= nx - 4 || j < 4 || j >= ny - 4 || k < 4 || k >= nz - 4)
    return;
  float r0, r1, r2, r3, r4;
  {
#define AX(a, s) a[AT3(i + (s), j, k)]
#define MASS(s) AX(mx, s)
#define MOMX(s) (AX(mx, s) * AX(u, s) + AX(p, s))
#define MOMY(s) (AX(my, s) * AX(u, s))
#define MOMZ(s) (AX(mz, s) * AX(u, s))
#define ENER(s) ((AX(en, s) + AX(p, s)) * AX(u, s))
    r0 = DIFF(MASS);
    r1 = DIFF(MOMX);
    r2 = DIFF(MOMY);
    r3 = DIFF(MOMZ);
    r4 = DIFF(ENER);
#undef AX
#undef MASS
#undef MOMX
#undef MOMY
#undef MOMZ
#undef ENER
  }
  {
#define AY(a, s) a[AT3(i, j + (s), k)]
#define MASS(s) AY(my, s)
#define MOMX(s) (AY(mx, s) * AY(v, s))
#define MOMY(s) (AY(my, s) * AY(v, s) + AY(p, s))
#define MOMZ(s) (AY(mz, s) * AY(v, s))
#define ENER(s) ((AY(en, s) + AY(p, s)) * AY(v, s))
    r0 += DIFF(MASS);
    r1 += DIFF(MOMX);
    r2 += DIFF(MOMY);
    r3 += DIFF(MOMZ);
    r4 += DIFF(ENER);
#undef AY
#undef MASS
#undef MOMX
#undef MOMY
#undef MOMZ
#undef ENER
  }
  {
#define AZ(a, s) a[AT3(i, j, k + (s))]
#define MASS(s) AZ(mz, s)
#define MOMX(s) (AZ(mx, s) * AZ(q, s))
#define MOMY(s) (AZ(my, s) * AZ(q, s))
#define MOMZ(s) (AZ(mz, s) * AZ(q, s) + AZ(p, s))
#define ENER(s) ((AZ(en, s) + AZ(p, s)) * AZ(q, s))
    r0 += DIFF(MASS);
    r1 += DIFF(MOMX);
    r2 += DIFF(MOMY);
    r3 += DIFF(MOMZ);
    r4 += DIFF(ENER);
  }
  int at = AT3(i, j, k);
  f0[at] = -r0 - sponge * (u[at] + v[at] + q[at]);
  f1[at] = -r1 - sponge * mx[at];
  f2[at] = -r2 - sponge * my[at];
  f3[at] = -r3 - sponge * mz[at];
  f4[at] = -r4 - sponge * (en[at] - p[at]);
}
