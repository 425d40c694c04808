// ptxasw: remarks
// All lanes read the same four neighbours of each body, in a loop that loads nothing else.
// launch: bodies grid=2 block=64 args=f32[400],f32[300]:zero,100
// launch: bodies grid=1 block=96 args=f32[133]@1,f32[100]@1,33
struct Body {
  float x, y, z, mass;
};

extern "C" __global__ void bodies(const Body *body, float *force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = body[i].x, y = body[i].y, z = body[i].z, fx = 0.0f, fy = 0.0f, fz = 0.0f;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    Body other = body[j];
    float dx = other.x - x, dy = other.y - y, dz = other.z - z;
    float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float scale = other.mass / (r2 * r2);
    fx += scale * dx, fy += scale * dy, fz += scale * dz;
  }
  force[3 * i] = fx, force[3 * i + 1] = fy, force[3 * i + 2] = fz;
}
