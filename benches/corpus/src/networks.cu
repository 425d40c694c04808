// Layers of networks: convolutions, pools, norms, activations, attention, quantised weights.

template <int SIZE> __global__ void convolution(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int channels, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, k = blockIdx.z;
  if (x >= nx - SIZE + 1)
    return;
  float sum = 0;
  for (int c = 0; c < channels; ++c)
#pragma unroll
    for (int v = 0; v < SIZE; ++v)
#pragma unroll
      for (int u = 0; u < SIZE; ++u)
        sum += weights[((k * channels + c) * SIZE + v) * SIZE + u] * in[(c * ny + y + v) * nx + x + u];
  out[(k * (ny - SIZE + 1) + y) * (nx - SIZE + 1) + x] = sum;
}
template __global__ void convolution<1>(const float *, const float *, float *, int, int, int);
template __global__ void convolution<3>(const float *, const float *, float *, int, int, int);
template __global__ void convolution<5>(const float *, const float *, float *, int, int, int);
template __global__ void convolution<7>(const float *, const float *, float *, int, int, int);

extern "C" __global__ void depthwise(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, c = blockIdx.z;
  if (x >= nx)
    return;
  float sum = 0;
#pragma unroll
  for (int v = -1; v <= 1; ++v)
#pragma unroll
    for (int u = -1; u <= 1; ++u)
      if (y + v >= 0 && y + v < ny && x + u >= 0 && x + u < nx)
        sum += w[c * 9 + (v + 1) * 3 + u + 1] * in[(c * ny + y + v) * nx + x + u];
  out[(c * ny + y) * nx + x] = sum;
}

extern "C" __global__ void max_pool(const float *__restrict__ in, float *__restrict__ out, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, c = blockIdx.z;
  if (x >= nx / 2)
    return;
  const float *p = in + (c * ny + 2 * y) * nx + 2 * x;
  out[(c * (ny / 2) + y) * (nx / 2) + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[nx], p[nx + 1]));
}

extern "C" __global__ void mean_pool3(const float *__restrict__ in, float *__restrict__ out, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx - 2)
    return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    sum += in[(y + k / 3) * nx + x + k % 3];
  out[y * (nx - 2) + x] = sum / 9;
}

extern "C" __global__ void softmax(const float *in, float *out, int columns) {
  __shared__ float part[32];
  const float *row = in + (long long)blockIdx.x * columns;
  float most = -1e30f;
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    most = fmaxf(most, row[j]);
  for (int k = 16; k > 0; k /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < blockDim.x / 32; ++k)
    most = fmaxf(most, part[k]);
  __syncthreads();
  float sum = 0;
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    sum += __expf(row[j] - most);
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_xor_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < blockDim.x / 32; ++k)
    sum += part[k];
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    out[(long long)blockIdx.x * columns + j] = __expf(row[j] - most) / sum;
}

extern "C" __global__ void gelu(const float4 *__restrict__ in, float4 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  float *x = &v.x;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[k] = 0.5f * x[k] * (1 + tanhf(0.7978845608f * (x[k] + 0.044715f * x[k] * x[k] * x[k])));
  out[i] = v;
}

extern "C" __global__ void quantised(const signed char *__restrict__ w, const float *__restrict__ scale, const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < m; ++j)
    sum += w[j * n + i] * x[j];
  y[i] = sum * scale[i];
}

extern "C" __global__ void nibbles(const unsigned *__restrict__ w, float *__restrict__ out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned v = w[i];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[8 * i + k] = scale * ((int)(v >> 4 * k & 15) - 8);
}

extern "C" __global__ void causal(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int channels, int length) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y;
  if (t >= length)
    return;
  const float *row = in + c * length;
  float sum = w[c * 4 + 3] * row[t];
  if (t >= 1)
    sum += w[c * 4 + 2] * row[t - 1];
  if (t >= 2)
    sum += w[c * 4 + 1] * row[t - 2];
  if (t >= 3)
    sum += w[c * 4] * row[t - 3];
  out[c * length + t] = sum;
}

extern "C" __global__ void rotary(float *x, const float *__restrict__ angle, int heads, int size) {
  int k = threadIdx.x, h = blockIdx.x, t = blockIdx.y;
  if (k < size / 2) {
    float *p = x + (t * heads + h) * size + 2 * k, s, c;
    sincosf(t * angle[k], &s, &c);
    float a = p[0], b = p[1];
    p[0] = a * c - b * s;
    p[1] = a * s + b * c;
  }
}

extern "C" __global__ void embedding(const int *__restrict__ token, const float *__restrict__ table, float *__restrict__ out, int width) {
  const float *row = table + (long long)token[blockIdx.x] * width;
  for (int k = threadIdx.x; k < width; k += blockDim.x)
    out[(long long)blockIdx.x * width + k] = row[k];
}
