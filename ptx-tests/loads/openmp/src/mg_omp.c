// ptxasw: remarks
// Residual and smoothing of NPB's MG at a point: what is stored as residual stands between the loads of the solution.
// launch: grid=2 block=128 args=u8[16],6,6,18,f64[648]:seed=1,f64[648]:seed=2,f64[648]:seed=3,f64[648]:seed=4

#define AT(x, y, z) ((x) + nx * ((y) + (long)ny * (z)))

void mg(double *u, double *v, double *r, double *s, int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(3) is_device_ptr(u, v, r, s)
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        double faces = u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] + u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)] + u[AT(x, y, z - 1)] + u[AT(x, y, z + 1)];
        r[AT(x, y, z)] = v[AT(x, y, z)] + 2.0 * u[AT(x, y, z)] - 0.25 * faces;
        double edges = u[AT(x - 1, y - 1, z)] + u[AT(x + 1, y - 1, z)] + u[AT(x - 1, y + 1, z)] + u[AT(x + 1, y + 1, z)];
        s[AT(x, y, z)] = 0.5 * r[AT(x, y, z)] + 0.1 * (v[AT(x, y, z)] + edges + u[AT(x, y, z)]);
      }
}
