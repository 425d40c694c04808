// ptxasw: remarks
// Cannot gain: records of seven floats, 28 bytes from lane to lane.
// launch: not_record7 grid=2 block=64 args=f32[700],f32[700]:zero,100,0.5f
// launch: not_record7 grid=1 block=32 args=f32[226]@1,f32[226]@1,32,0.5f
// launch: not_record7 grid=1 block=32 args=f32[226]@2,f32[226]@2,32,0.5f
struct Body {
  float x, y, z, vx, vy, vz, mass;
};

extern "C" __global__ void not_record7(const Body *from, Body *to, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body b = from[i];
  b.x += dt * b.vx;
  b.y += dt * b.vy;
  b.z += dt * b.vz;
  b.mass *= 0.5f;
  to[i] = b;
}
