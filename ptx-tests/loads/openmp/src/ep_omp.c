// ptxasw: remarks
// Cannot gain: pairs of random numbers as in NPB's EP. A seed is loaded, the rest is arithmetic, the sums are stored once.
// launch: grid=1 block=64 args=u8[16],50,u32[50],f64[50]:zero,f64[50]:zero

void ep(unsigned *seed, double *sx, double *sy, int n) {
#pragma omp target teams distribute parallel for is_device_ptr(seed, sx, sy)
  for (int i = 0; i < n; ++i) {
    unsigned state = seed[i];
    double x = 0.0, y = 0.0;
    for (int k = 0; k < 16; ++k) {
      state = state * 1664525u + 1013904223u;
      double a = state * 0x1p-31 - 1.0;
      state = state * 1664525u + 1013904223u;
      double b = state * 0x1p-31 - 1.0, t = a * a + b * b;
      if (t <= 1.0) {
        x += a * (1.0 - t);
        y += b * (1.0 - t);
      }
    }
    sx[i] = x;
    sy[i] = y;
  }
}
