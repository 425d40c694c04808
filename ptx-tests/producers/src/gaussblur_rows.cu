// A 5x5 blur as NVHPC's OpenACC writes `gang` over rows and `vector` over points: two strided loops.
// launch: gaussblur grid=3 block=128 args=f32[1050],f32[1050],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,150,7
// launch: gaussblur grid=2 block=128 args=f32[1600],f32[1600],0.5f,0.4f,0.3f,0.2f,0.1f,0.05f,320,5
extern "C" __global__ void __launch_bounds__(128)
gaussblur(const float *__restrict__ w0, float *__restrict__ w1, float s0,
          float s1, float s2, float s4, float s5, float s8, int nx, int ny) {
  float f = 1.0f / (s0 + 4.0f * (s1 + s2 + s4 + s8) + 8.0f * s5);
  for (int j = blockIdx.x + 2; j < ny - 2; j += gridDim.x) {
    for (int i = threadIdx.x + 2; i < nx - 2; i += 128) {
#define W(di, dj) w0[(j + (dj)) * nx + i + (di)]
      w1[j * nx + i] =
          f * (s0 * W(0, 0) + s1 * (W(-1, 0) + W(1, 0) + W(0, -1) + W(0, 1)) +
               s2 * (W(-1, -1) + W(1, -1) + W(-1, 1) + W(1, 1)) +
               s4 * (W(-2, 0) + W(2, 0) + W(0, -2) + W(0, 2)) +
               s5 * (W(-2, -1) + W(-1, -2) + W(1, -2) + W(2, -1) + W(-2, 1) +
                     W(-1, 2) + W(1, 2) + W(2, 1)) +
               s8 * (W(-2, -2) + W(2, -2) + W(-2, 2) + W(2, 2)));
    }
  }
}
