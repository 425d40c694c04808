// ptxasw: remarks
// Records of four floats, aligned as one: bodies are moved by velocities.
// launch: record4 grid=2 block=128 args=f32[800],f32[800],200,0.5f
// launch: record4 grid=1 block=64 args=f32[260]@1,f32[260]@1,64,0.5f
// launch: record4 grid=1 block=64 args=f32[260]@2,f32[260]@2,64,0.5f
// launch: record4 grid=1 block=64 args=f32[260],f32[260]@2,64,0.5f
struct Body {
  float x, y, z, mass;
};

extern "C" __global__ void record4(Body *body, const Body *velocity, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body b = body[i], v = velocity[i];
  b.x += dt * v.x;
  b.y += dt * v.y;
  b.z += dt * v.z;
  b.mass += dt * v.mass;
  body[i] = b;
}
