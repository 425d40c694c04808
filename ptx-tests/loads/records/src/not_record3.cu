// ptxasw: remarks
// Cannot gain: records of three floats, 12 bytes from lane to lane, are aligned to 4 in every other lane.
// launch: not_record3 grid=2 block=64 args=f32[300],f32[300]:zero,100,0.5f
// launch: not_record3 grid=1 block=32 args=f32[98]@1,f32[98]@1,32,0.5f
// launch: not_record3 grid=1 block=32 args=f32[98]@2,f32[98]@2,32,0.5f
struct Point {
  float x, y, z;
};

extern "C" __global__ void not_record3(const Point *from, Point *to, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point p = from[i];
  p.x *= by;
  p.y *= by;
  p.z *= by;
  to[i] = p;
}
