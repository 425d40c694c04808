// An array of structs with a stride of 12 bytes: x, y, z of a point and of
// its neighbour.
// launch: edges grid=2 block=128 args=f32[600],f32[200],200
struct Vec3 {
  float x, y, z;
};

extern "C" __global__ void edges(const Vec3 *__restrict__ points,
                                 float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  Vec3 a = points[i], b = points[i + 1];
  float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  out[i] = x * x + y * y + z * z;
}
