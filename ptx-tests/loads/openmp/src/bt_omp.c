// Block-tridiagonal systems along z, as in NPB's BT: for each (x, y) a sweep over blocks of 5x5, whose products are subtracted and
// whose inverses are applied in memory. An array for each place of a block, with extents that the compiler knows.
// launch: grid=1 block=64 args=u8[16],4,16,4,f64[2560]:seed=4,f64[12800]:seed=1,f64[12800]:seed=2,f64[12800]:seed=3

#define NX 16
#define NY 4
#define NZ 8
#define A(m, n, k) a[m][n][k][y][x]
#define B(m, n, k) b[m][n][k][y][x]
#define C(m, n, k) c[m][n][k][y][x]
#define R(m, k) r[m][k][y][x]
#define TIMES(m, s, t, u, v, w) (A(m, 0, k) * s + A(m, 1, k) * t + A(m, 2, k) * u + A(m, 3, k) * v + A(m, 4, k) * w)
#define EACH(m) _Pragma("unroll") for (int m = 0; m < 5; ++m)
typedef double scalars[NZ][NY][NX];

void bt(scalars (*a)[5], scalars (*b)[5], scalars (*c)[5], scalars *r, int nx, int ny, int nz) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(a, b, c, r)
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      for (int k = 1; k < nz; ++k) {
        EACH(m) {
          R(m, k) -= TIMES(m, R(0, k - 1), R(1, k - 1), R(2, k - 1), R(3, k - 1), R(4, k - 1));
          EACH(n) B(m, n, k) -= TIMES(m, C(0, n, k - 1), C(1, n, k - 1), C(2, n, k - 1), C(3, n, k - 1), C(4, n, k - 1));
        }
        EACH(p) {
          double pivot = 1.0 / (8.0 + B(p, p, k));
          EACH(n) {
            if (n > p)
              B(p, n, k) *= pivot;
            C(p, n, k) *= pivot;
          }
          R(p, k) *= pivot;
          EACH(m) {
            if (m == p)
              continue;
            double factor = B(m, p, k);
            EACH(n) {
              if (n > p)
                B(m, n, k) -= factor * B(p, n, k);
              C(m, n, k) -= factor * C(p, n, k);
            }
            R(m, k) -= factor * R(p, k);
          }
        }
      }
}
