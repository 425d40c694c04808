// Signals: filters with many taps, running sums, wavelets, correlation, changes of rate.

template <typename T, int TAPS> __global__ void fir(const T *__restrict__ in, const T *__restrict__ taps, T *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - TAPS + 1)
    return;
  T sum = 0;
#pragma unroll
  for (int k = 0; k < TAPS; ++k)
    sum += taps[k] * in[i + k];
  out[i] = sum;
}
template __global__ void fir<float, 4>(const float *, const float *, float *, int);
template __global__ void fir<float, 31>(const float *, const float *, float *, int);
template __global__ void fir<float, 64>(const float *, const float *, float *, int);
template __global__ void fir<double, 15>(const double *, const double *, double *, int);
template __global__ void fir<int, 9>(const int *, const int *, int *, int);
template __global__ void fir<short, 12>(const short *, const short *, short *, int);

extern "C" __global__ void running(const float *__restrict__ in, float *__restrict__ out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - width)
    return;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += in[i + k];
  out[i] = sum / width;
}

extern "C" __global__ void haar(const float *__restrict__ in, float *__restrict__ low, float *__restrict__ high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float a = in[2 * i], b = in[2 * i + 1];
    low[i] = 0.70710678f * (a + b);
    high[i] = 0.70710678f * (a - b);
  }
}

extern "C" __global__ void lifting(const float *__restrict__ even, const float *__restrict__ odd, float *__restrict__ low, float *__restrict__ high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  float d = odd[i] - 0.5f * (even[i] + even[i + 1]), e = odd[i - 1] - 0.5f * (even[i - 1] + even[i]);
  high[i] = d;
  low[i] = even[i] + 0.25f * (d + e);
}

extern "C" __global__ void decimate(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 3 < n)
    out[i] = (in[2 * i] + 3 * in[2 * i + 1] + 3 * in[2 * i + 2] + in[2 * i + 3]) / 8;
}

extern "C" __global__ void stereo(const short2 *__restrict__ in, short *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = (in[i].x + in[i].y + in[i + 1].x + in[i + 1].y) / 4;
}

extern "C" __global__ void peaks(const float *__restrict__ in, int *found, int *count, int n, float floor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n - 2) {
    float x = in[i];
    if (x > floor && x > in[i - 1] && x > in[i - 2] && x >= in[i + 1] && x >= in[i + 2])
      found[atomicAdd(count, 1)] = i;
  }
}

extern "C" __global__ void lagged(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int lags) {
  int lag = blockIdx.x * blockDim.x + threadIdx.x;
  if (lag >= lags)
    return;
  float sum = 0;
  for (int k = 0; k < n - lags; ++k)
    sum += a[k] * b[k + lag];
  out[lag] = sum;
}

// A window of sixteen samples slides through registers.
extern "C" __global__ void sliding(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  if (i + 20 > n)
    return;
  float w[20];
#pragma unroll
  for (int k = 0; k < 20; ++k)
    w[k] = in[i + k];
#pragma unroll
  for (int k = 0; k < 16; ++k)
    out[i + k] = w[k] + w[k + 1] + w[k + 2] + w[k + 3] + w[k + 4];
}
