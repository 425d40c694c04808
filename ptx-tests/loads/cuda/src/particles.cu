// ptxasw: remarks
// Particles in arrays of their own: each component is stored before the next is read, so that masses, velocities and forces
// are read again.
// launch: particles grid=2 block=128 args=f32[200],f32[200],f32[200],f32[200],f32[200],f32[200],f32[200],f32[200],f32[200],f32[200],200,0.01f
// launch: particles grid=1 block=96 args=f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,f32[80]@1,79,0.5f
#ifndef RESTRICT
#define RESTRICT
#endif
typedef float *RESTRICT array;

extern "C" __global__ void particles(array x, array y, array z, array vx, array vy, array vz, array fx, array fy, array fz,
                                     const float *RESTRICT mass, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  vx[i] += dt * fx[i] * mass[i];
  vy[i] += dt * fy[i] * mass[i];
  vz[i] += dt * fz[i] * mass[i];
  x[i] += dt * vx[i];
  y[i] += dt * vy[i];
  z[i] += dt * vz[i];
  fx[i] = -0.5f * x[i] - 0.1f * vx[i];
  fy[i] = -0.5f * y[i] - 0.1f * vy[i];
  fz[i] = -0.5f * z[i] - 0.1f * vz[i];
}
