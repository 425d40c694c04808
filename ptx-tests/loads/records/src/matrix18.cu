// ptxasw: remarks
// Records of 18 floats: a complex 3x3 matrix for each site, as in lattice QCD, times a vector. 72 bytes from lane to lane: pairs.
// launch: matrix18 grid=2 block=32 args=f32[1080],f32[360],f32[360]:zero,60
// launch: matrix18 grid=1 block=32 args=f32[578]@1,f32[194]@1,f32[194]@1,32
// launch: matrix18 grid=1 block=32 args=f32[578]@2,f32[194]@2,f32[194]@2,32
// launch: matrix18 grid=1 block=32 args=f32[578],f32[194]@1,f32[194],32
struct Complex {
  float re, im;
};
struct Matrix {
  Complex at[3][3];
};
struct Vector {
  Complex at[3];
};

extern "C" __global__ void matrix18(const Matrix *links, const Vector *in, Vector *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Matrix u = links[i];
  Vector x = in[i], y;
#pragma unroll
  for (int row = 0; row < 3; ++row) {
    float re = 0.0f, im = 0.0f;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      re += u.at[row][k].re * x.at[k].re - u.at[row][k].im * x.at[k].im;
      im += u.at[row][k].re * x.at[k].im + u.at[row][k].im * x.at[k].re;
    }
    y.at[row].re = re;
    y.at[row].im = im;
  }
  out[i] = y;
}
