// ptxasw: remarks
// A row of a sparse matrix times a vector, as in NPB's CG: the sum of a row is kept in memory.
// launch: cg$_omp_fn$0 grid=3 block=32 args=&{u32[91]%91:seed=1,u32[91]%90,f64[91],f64[90],f64[90],i32[1]:value=90}

void cg(int *start, int *column, double *a, double *p, double *q, int n) {
#pragma acc parallel loop gang vector vector_length(32) present(start[0 : n + 1], column[0 : n], a[0 : n], p[0 : n], q[0 : n])
  for (int row = 0; row < n; ++row) {
    q[row] = 0.0;
    int k = start[row], end = start[row + 1];
    for (; k + 3 < end; k += 4) {
      q[row] += a[k] * p[column[k]];
      q[row] += a[k + 1] * p[column[k + 1]];
      q[row] += a[k + 2] * p[column[k + 2]];
      q[row] += a[k + 3] * p[column[k + 3]];
    }
    for (; k < end; ++k)
      q[row] += a[k] * p[column[k]];
  }
}
