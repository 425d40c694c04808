// ptxasw: remarks
// Lattice Boltzmann, D3Q19: moments of a cell, then each of the 19 distributions is relaxed and sent to its neighbour. Each store
// may change a distribution that is read next.
// launch: lattice grid=1,4,3 block=32 args=f32[3420],f32[3420]:zero,1.2f,10,6,3
// launch: lattice grid=1,2,1 block=64 args=f32[3420]@1,f32[3420]@2,0.8f,10,6,2
#ifndef RESTRICT
#define RESTRICT
#endif

#define DIRECTIONS(D)                                                                                                      \
  D(0, 0, 0, 0, 3) D(1, 1, 0, 0, 18) D(2, -1, 0, 0, 18) D(3, 0, 1, 0, 18) D(4, 0, -1, 0, 18) D(5, 0, 0, 1, 18)             \
  D(6, 0, 0, -1, 18) D(7, 1, 1, 0, 36) D(8, -1, -1, 0, 36) D(9, 1, -1, 0, 36) D(10, -1, 1, 0, 36) D(11, 1, 0, 1, 36)       \
  D(12, -1, 0, -1, 36) D(13, 1, 0, -1, 36) D(14, -1, 0, 1, 36) D(15, 0, 1, 1, 36) D(16, 0, -1, -1, 36)                     \
  D(17, 0, 1, -1, 36) D(18, 0, -1, 1, 36)

#define MOMENTS(q, cx, cy, cz, share)                                                                                      \
  {                                                                                                                        \
    float f = from[q * cells + cell];                                                                                      \
    rho += f, ux += cx * f, uy += cy * f, uz += cz * f;                                                                    \
  }

#define RELAX(q, cx, cy, cz, share)                                                                                        \
  {                                                                                                                        \
    float f = from[q * cells + cell], cu = 3.0f * (cx * ux + cy * uy + cz * uz);                                           \
    float even = rho / share * (1.0f + cu + 0.5f * cu * cu - square);                                                      \
    to[q * cells + cell + cx + nx * (cy + ny * cz)] = f + omega * (even - f);                                              \
  }

extern "C" __global__ void lattice(const float *RESTRICT from, float *RESTRICT to, float omega, int nx, int ny, int nz) {
  int x = threadIdx.x + 1, y = blockIdx.y + 1, z = blockIdx.z;
  if (x >= nx - 1 || y >= ny - 1 || z < 1 || z >= nz - 1)
    return;
  int cells = nx * ny * nz, cell = x + nx * (y + ny * z);
  float rho = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
  DIRECTIONS(MOMENTS)
  float share = 1.0f / rho;
  ux *= share, uy *= share, uz *= share;
  float square = 1.5f * (ux * ux + uy * uy + uz * uz);
  DIRECTIONS(RELAX)
}
