#include "grid.cuh"

// The game of life.
__global__ void life(int *__restrict__ out, const int *__restrict__ in, int nx, int ny) {
  Field<const int> cells{in, nx, ny, 1};
  Cell c = Cell::here();
  if (!c.inside(cells, 1)) return;
  int alive = 0;
#pragma unroll
  for (int dj = -1; dj <= 1; dj++)
#pragma unroll
    for (int di = -1; di <= 1; di++)
      if (di || dj) alive += cells.at(c.i + di, c.j + dj);
  out[c.j * nx + c.i] = alive == 3 || (alive == 2 && cells.at(c.i, c.j));
}
