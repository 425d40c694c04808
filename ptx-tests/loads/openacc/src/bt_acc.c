// Block-tridiagonal systems along z, as in NPB's BT: for each (x, y) a sweep over blocks of 5x5, whose products are subtracted and
// whose inverses are applied in memory. An array for each place of a block, with extents that the compiler knows.
// launch: bt$_omp_fn$0 grid=4 block=32 args=&{f64[9600]:seed=1,f64[9600]:seed=2,f64[9600]:seed=3,f64[1920]:seed=4,i32[1]:value=5,i32[1]:value=4,i32[1]:value=12}

#ifndef NX
#define NX 12
#define NY 4
#define NZ 8
#endif
#define A(m, n, k) a[m][n][k][y][x]
#define B(m, n, k) b[m][n][k][y][x]
#define C(m, n, k) c[m][n][k][y][x]
#define R(m, k) r[m][k][y][x]
#define TIMES(m, s, t, u, v, w) (A(m, 0, k) * s + A(m, 1, k) * t + A(m, 2, k) * u + A(m, 3, k) * v + A(m, 4, k) * w)
#define EACH(m) _Pragma("GCC unroll 5") for (int m = 0; m < 5; ++m)
typedef double scalars[NZ][NY][NX];

void bt(scalars (*a)[5], scalars (*b)[5], scalars (*c)[5], scalars *r, int nx, int ny, int nz) {
#pragma acc parallel loop gang vector_length(32) present(a[0 : 5], b[0 : 5], c[0 : 5], r[0 : 5])
  for (int y = 0; y < ny; ++y) {
#pragma acc loop vector
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
}
