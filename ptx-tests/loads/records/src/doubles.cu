// ptxasw: remarks
// Records of two doubles: one access of 16 bytes where the pointer is aligned; it can be 8 bytes behind.
// launch: doubles grid=2 block=64 args=f64[200],f64[200],100,f64:0.5
// launch: doubles grid=1 block=64 args=f64[130]@1,f64[130]@1,64,f64:0.5
// launch: doubles grid=1 block=64 args=f64[130],f64[130]@1,64,f64:0.5
struct Complex {
  double re, im;
};

extern "C" __global__ void doubles(const Complex *x, Complex *y, int n, double phase) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double re = x[i].re - phase * x[i].im + y[i].re, im = x[i].im + phase * x[i].re + y[i].im;
  y[i].re = re;
  y[i].im = im;
}
