// Full debug information: DWARF sections, .loc, locals in memory.
// nvcc: -G
// launch: norms grid=2 block=64 args=f32[200],f32[128],100
struct Point {
  float x, y;
};

__device__ float length2(const Point &p) { return p.x * p.x + p.y * p.y; }

extern "C" __global__ void norms(const Point *points, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Point p = points[i];
    out[i] = length2(p);
  }
}
