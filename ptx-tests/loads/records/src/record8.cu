// ptxasw: remarks
// Records of eight floats: place, radius, velocity and mass of a grain.
// launch: record8 grid=2 block=64 args=f32[800],f32[800]:zero,100,0.5f
// launch: record8 grid=1 block=32 args=f32[260]@1,f32[260]@1,32,0.5f
// launch: record8 grid=1 block=32 args=f32[260]@2,f32[260]@2,32,0.5f
// launch: record8 grid=1 block=32 args=f32[260]@1,f32[260],32,0.5f
struct Grain {
  float x, y, z, radius, vx, vy, vz, mass;
};

extern "C" __global__ void record8(const Grain *from, Grain *to, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Grain g = from[i];
  float drag = 1.0f - dt * g.radius;
  g.x += dt * g.vx;
  g.y += dt * g.vy;
  g.z += dt * g.vz;
  g.vx *= drag;
  g.vy *= drag;
  g.vz *= drag;
  g.mass += dt;
  to[i] = g;
}
