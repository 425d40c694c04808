// One step of a 2-D electromagnetic cavity: both electric components, the
// magnetic one, and the field energy. The energy reads h0 through a helper in
// inline assembly, which the compiler can't merge with the plain load of the
// same element: one load is repeated.
// launch: whispering grid=2,7 block=128 args=f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],f32[1050],150,7
// launch: whispering grid=2,5 block=48 args=f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],f32[355],71,5
// launch: whispering grid=1,5 block=100 args=f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],f32[475],95,5
// launch: whispering grid=5,2 block=16,8 args=f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],f32[980],70,14
// launch: whispering grid=2,3 block=33,3 args=f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],f32[480],60,8
#include "grid.h"

__device__ __forceinline__ float read_only(const float *p) {
  float value;
  asm("ld.global.nc.f32 %0, [%1];"
      : "=f"(value)
      : "l"(__cvta_generic_to_global(p)));
  return value;
}

extern "C" __global__ void __launch_bounds__(128)
whispering(const float *__restrict__ ca, const float *__restrict__ cb,
           const float *__restrict__ da, const float *__restrict__ db,
           const float *__restrict__ e0, const float *__restrict__ e1,
           const float *__restrict__ h0, const float *__restrict__ u_em0,
           float *__restrict__ e0n, float *__restrict__ e1n,
           float *__restrict__ h1, float *__restrict__ u_em1, int nx, int ny) {
  int i = X;
  int j = Y;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
    return;
  int at = AT2(i, j);
  float h = h0[at];
  // The new field at this cell and at the two neighbours that its curl needs.
  float ex = ca[at] * e0[at] + cb[at] * (h0[AT2(i, j + 1)] - h);
  float ey = ca[at] * e1[at] + cb[at] * (h - h0[AT2(i + 1, j)]);
  float exs = ca[AT2(i, j - 1)] * e0[AT2(i, j - 1)] +
              cb[AT2(i, j - 1)] * (h - h0[AT2(i, j - 1)]);
  float eyw = ca[AT2(i - 1, j)] * e1[AT2(i - 1, j)] +
              cb[AT2(i - 1, j)] * (h0[AT2(i - 1, j)] - h);
  e0n[at] = ex;
  e1n[at] = ey;
  float hn = da[at] * h + db[at] * (ex - exs + eyw - ey);
  h1[at] = hn;
  u_em1[at] = u_em0[at] + 0.5f * (ex * ex + ey * ey) + hn * read_only(&h0[at]);
}
