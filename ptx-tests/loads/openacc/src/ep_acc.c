// ptxasw: remarks
// Cannot gain: pairs of random numbers as in NPB's EP. A seed is loaded, the rest is arithmetic, the sums are stored once.
// launch: ep$_omp_fn$0 grid=2 block=32 args=&{u32[50],f64[50]:zero,f64[50]:zero,i32[1]:value=50}

void ep(unsigned *seed, double *sx, double *sy, int n) {
#pragma acc parallel loop gang vector vector_length(32) present(seed[0 : n], sx[0 : n], sy[0 : n])
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
