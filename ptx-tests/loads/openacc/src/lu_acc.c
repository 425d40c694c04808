// The lower sweep of NPB's LU along one diagonal of a plane: a point's five unknowns lose what its neighbours to the left, below
// and behind contribute through blocks of 5x5, one after the other.
// launch: lu$_omp_fn$0 grid=1 block=32 args=&{f64[9600]:seed=1,f64[9600]:seed=2,f64[9600]:seed=3,f64[1920]:seed=4,i32[1]:value=9,i32[1]:value=2,i32[1]:value=8,i32[1]:value=12}

#ifndef NX
#define NX 12
#define NY 8
#define NZ 4
#endif
#define EACH(m) _Pragma("GCC unroll 5") for (int m = 0; m < 5; ++m)
typedef double scalars[NZ][NY][NX];

void lu(scalars (*left)[5], scalars (*below)[5], scalars (*behind)[5], scalars *v, int nx, int ny, int z, int diagonal) {
#pragma acc parallel loop gang vector vector_length(32) present(left[0 : 5], below[0 : 5], behind[0 : 5], v[0 : 5])
  for (int x = 1; x < nx; ++x) {
    int y = diagonal - x;
    if (y < 1 || y >= ny)
      continue;
    EACH(m) EACH(n) v[m][z][y][x] -= 0.1 * behind[m][n][z][y][x] * v[n][z - 1][y][x];
    EACH(m) EACH(n) v[m][z][y][x] -= 0.1 * (below[m][n][z][y][x] * v[n][z][y - 1][x] + left[m][n][z][y][x] * v[n][z][y][x - 1]);
  }
}
