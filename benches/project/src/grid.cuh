// Fields on a grid of cells, and operators on them: the templates of the stencil files.
#pragma once

template <typename T>
struct Field {
  T *data;
  int nx, ny, nz;
  __device__ T &at(int i, int j = 0, int k = 0) const { return data[(k * ny + j) * nx + i]; }
};

struct Cell {
  int i, j, k;
  __device__ static Cell here() {
    return {int(blockIdx.x * blockDim.x + threadIdx.x), int(blockIdx.y * blockDim.y + threadIdx.y),
            int(blockIdx.z * blockDim.z + threadIdx.z)};
  }
  template <typename T>
  __device__ bool inside(const Field<T> &field, int border) const {
    return i >= border && i < field.nx - border && (field.ny == 1 || (j >= border && j < field.ny - border)) &&
           (field.nz == 1 || (k >= border && k < field.nz - border));
  }
};

template <typename T, int RADIUS>
__device__ T row(const Field<const T> &in, const Cell &c, const T (&weights)[2 * RADIUS + 1]) {
  T sum = 0;
#pragma unroll
  for (int n = -RADIUS; n <= RADIUS; n++) sum += weights[n + RADIUS] * in.at(c.i + n, c.j, c.k);
  return sum;
}
