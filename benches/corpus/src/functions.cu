// Mathematical functions with their slow ways, divisions, roundings.

extern "C" __global__ void floats(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  out[i] = sinf(x) + cosf(x) * tanf(x) + expf(x) + exp2f(x) + logf(x) + log10f(x) + powf(x, 1.3f) + sqrtf(x) + cbrtf(x) + atan2f(x, 2) + asinf(x) + sinhf(x) + erff(x) +
           tgammaf(x) + lgammaf(x) + fmodf(x, 3) + floorf(x) + rintf(x) + roundf(x) + hypotf(x, 1) + j0f(x) + normcdfinvf(x) + ldexpf(x, 3) + (float)ilogbf(x);
}

extern "C" __global__ void doubles(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i];
  out[i] = sin(x) + exp(x) + log(x) + pow(x, 0.7) + sqrt(x) + atan(x) + erfc(x) + fmod(x, 3.) + rsqrt(x) + remainder(x, 7.) + nextafter(x, 1.) + trunc(x) + 1 / x;
}

extern "C" __global__ void divisions(const int *a, const unsigned *b, const long long *c, const unsigned long long *d, long long *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = a[i] / 7 + a[i] % m + b[i] / 10u + b[i] % 1000u + c[i] / m + c[i] % 13 + (long long)(d[i] / 3 + d[i] % (b[i] | 1));
}

extern "C" __global__ void rounded(const float *a, const double *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = __float2int_rd(a[i]) + __float2int_ru(a[i]) + __double2int_rz(b[i]) + (int)__fadd_rz(a[i], 1) + (int)__fmul_ru(a[i], 3) + (int)__dadd_rd(b[i], 1) +
           (int)__fmaf_rn(a[i], 2, 1) + (int)__frcp_rn(a[i]) + (int)__ddiv_rn(b[i], 3) + (int)__double2ll_rn(b[i]) + __float_as_int(a[i]) + __double2hiint(b[i]) + (int)__saturatef(a[i]);
}

extern "C" __global__ void curvature(const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  double dx = (x[i + 1] - x[i - 1]) / 2, dy = (y[i + 1] - y[i - 1]) / 2, ax = x[i + 1] - 2 * x[i] + x[i - 1], ay = y[i + 1] - 2 * y[i] + y[i - 1];
  out[i] = (dx * ay - dy * ax) / pow(dx * dx + dy * dy, 1.5);
}
