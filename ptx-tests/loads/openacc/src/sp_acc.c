// ptxasw: remarks
// Pentadiagonal systems along z, as in NPB's SP: forward elimination of two rows by one, in memory. The arrays lie so far apart
// that no offset of 24 bits spans the distance.
// launch: sp$_omp_fn$0 grid=4 block=32 args=&{f64[5306040]:seed=1,f64[3183624]:seed=2,i32[1]:value=6,i32[1]:value=3,i32[1]:value=40}

#define N 102
#define L(d, k) l[d][k][y][x]
#define R(m, k) r[m][k][y][x]
#define EACH(m) _Pragma("GCC unroll 3") for (int m = 0; m < 3; ++m)
typedef double scalars[N][N][N];

void sp(scalars *l, scalars *r, int nx, int ny, int nz) {
#pragma acc parallel loop gang vector_length(32) present(l[0 : 5], r[0 : 3])
  for (int y = 0; y < ny; ++y) {
#pragma acc loop vector
    for (int x = 0; x < nx; ++x)
      for (int k = 0; k < nz - 2; ++k) {
        double factor = 1.0 / (4.0 + L(2, k));
        L(3, k) *= factor;
        L(4, k) *= factor;
        EACH(m) R(m, k) *= factor;
        L(2, k + 1) -= L(1, k + 1) * L(3, k);
        L(3, k + 1) -= L(1, k + 1) * L(4, k);
        EACH(m) R(m, k + 1) -= L(1, k + 1) * R(m, k);
        L(1, k + 2) -= L(0, k + 2) * L(3, k);
        L(2, k + 2) -= L(0, k + 2) * L(4, k);
        EACH(m) R(m, k + 2) -= L(0, k + 2) * R(m, k);
      }
  }
}
