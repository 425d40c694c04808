// ptxasw: remarks
// Records of four bytes: a picture is laid over another by its opacity.
// launch: pixels grid=2 block=128 args=u8[800],u8[800],u8[800]:zero,200
// launch: pixels grid=1 block=64 args=u8[264]@4,u8[264]@8,u8[264],64
// launch: pixels grid=1 block=64 args=u8[264]@1,u8[264]@2,u8[264]@3,64
// launch: pixels grid=1 block=64 args=u8[264]@2,u8[264]@2,u8[264]@2,64
struct Pixel {
  unsigned char red, green, blue, opacity;
};

extern "C" __global__ void pixels(const Pixel *top, const Pixel *below, Pixel *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Pixel t = top[i], b = below[i];
  int own = t.opacity, rest = 255 - own;
  Pixel mixed = {(unsigned char)((t.red * own + b.red * rest) >> 8), (unsigned char)((t.green * own + b.green * rest) >> 8),
                 (unsigned char)((t.blue * own + b.blue * rest) >> 8), (unsigned char)(own + ((b.opacity * rest) >> 8))};
  out[i] = mixed;
}
