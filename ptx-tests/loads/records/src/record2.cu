// ptxasw: remarks
// Records of two floats: a product of complex numbers. Two loads of 4 bytes can be one of 8 where the pointer is aligned.
// launch: record2 grid=2 block=128 args=f32[400],f32[400],f32[400],200
// launch: record2 grid=1 block=96 args=f32[200]@1,f32[200]@1,f32[200]@1,90
// launch: record2 grid=1 block=96 args=f32[200]@2,f32[200],f32[200]@2,90
// launch: record2 grid=1 block=96 args=f32[200],f32[200]@1,f32[200],90
struct Complex {
  float re, im;
};

extern "C" __global__ void record2(const Complex *a, const Complex *b, Complex *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float re = a[i].re * b[i].re - a[i].im * b[i].im, im = a[i].re * b[i].im + a[i].im * b[i].re;
  c[i].re = re;
  c[i].im = im;
}
