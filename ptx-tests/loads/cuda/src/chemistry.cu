// Combustion: 200 reactions of 40 species, each rate stored at once. Temperature and concentrations are
// read again behind each store.
// launch: chemistry grid=1 block=32 args=f32[40],f32[1600],f32[8000]:zero,40
// launch: chemistry grid=1 block=32 args=f32[33]@1,f32[1281]@1,f32[6401]@1,32
#ifndef RESTRICT
#define RESTRICT
#endif

#define REACTION(k)                                                                                                        \
  rate[(k) * n + i] = (0.125f * ((k) % 7 + 1) + 0.25f * ((k) % 3) * t[i]) * c[(k) * 7 % 40 * n + i] * c[((k) * 11 + 3) % 40 * n + i];

#define FIVE(k) REACTION(k) REACTION(k + 1) REACTION(k + 2) REACTION(k + 3) REACTION(k + 4)
#define FORTY(k) FIVE(k) FIVE(k + 5) FIVE(k + 10) FIVE(k + 15) FIVE(k + 20) FIVE(k + 25) FIVE(k + 30) FIVE(k + 35)

extern "C" __global__ void chemistry(const float *RESTRICT t, const float *RESTRICT c, float *RESTRICT rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  FORTY(0) FORTY(40) FORTY(80) FORTY(120) FORTY(160)
}
