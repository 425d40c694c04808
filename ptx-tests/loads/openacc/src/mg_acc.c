// ptxasw: remarks
// Residual and smoothing of NPB's MG at a point, one plane after the other: what is stored as residual stands between the loads of
// the solution.
// launch: mg$_omp_fn$0 grid=5 block=32 args=&{f64[360]:seed=1,f64[360]:seed=2,f64[360]:zero,f64[360]:zero,i32[1]:value=5,i32[1]:value=6,i32[1]:value=12}

#define AT(x, y, z) ((x) + nx * ((y) + (long)ny * (z)))

void mg(double *u, double *v, double *r, double *s, int nx, int ny, int nz) {
  long all = (long)nx * ny * nz;
#pragma acc parallel loop gang vector_length(32) present(u[0 : all], v[0 : all], r[0 : all], s[0 : all])
  for (int y = 1; y < ny - 1; ++y) {
#pragma acc loop vector
    for (int x = 1; x < nx - 1; ++x)
      for (int z = 1; z < nz - 1; ++z) {
        double faces = u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] + u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)] + u[AT(x, y, z - 1)] + u[AT(x, y, z + 1)];
        r[AT(x, y, z)] = v[AT(x, y, z)] + 2.0 * u[AT(x, y, z)] - 0.25 * faces;
        double edges = u[AT(x - 1, y - 1, z)] + u[AT(x + 1, y - 1, z)] + u[AT(x - 1, y + 1, z)] + u[AT(x + 1, y + 1, z)];
        s[AT(x, y, z)] = 0.5 * r[AT(x, y, z)] + 0.1 * (v[AT(x, y, z)] + edges + u[AT(x, y, z)]);
      }
  }
}
