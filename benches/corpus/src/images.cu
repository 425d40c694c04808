// Images: clamped, mirrored and wrapped borders, bytes and vectors of bytes, medians, edges, scaling.

typedef unsigned char byte;

struct Clamp {
  static __device__ int at(int i, int n) { return min(max(i, 0), n - 1); }
};
struct Mirror {
  static __device__ int at(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
};
struct Wrap {
  static __device__ int at(int i, int n) { return (i + n) % n; }
};

template <typename BORDER, typename T, int RADIUS> __global__ void box(const T *__restrict__ in, T *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float sum = 0;
#pragma unroll
  for (int y = -RADIUS; y <= RADIUS; ++y)
#pragma unroll
    for (int x = -RADIUS; x <= RADIUS; ++x)
      sum += in[BORDER::at(j + y, ny) * nx + BORDER::at(i + x, nx)];
  out[j * nx + i] = (T)(sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1)));
}
template __global__ void box<Clamp, byte, 1>(const byte *, byte *, int, int);
template __global__ void box<Clamp, float, 2>(const float *, float *, int, int);
template __global__ void box<Mirror, float, 1>(const float *, float *, int, int);
template __global__ void box<Wrap, unsigned short, 1>(const unsigned short *, unsigned short *, int, int);

extern "C" __global__ void sobel(const byte *__restrict__ in, byte *__restrict__ out, int nx, int ny, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  const byte *p = in + j * pitch + i;
  int gx = p[-pitch + 1] + 2 * p[1] + p[pitch + 1] - p[-pitch - 1] - 2 * p[-1] - p[pitch - 1];
  int gy = p[pitch - 1] + 2 * p[pitch] + p[pitch + 1] - p[-pitch - 1] - 2 * p[-pitch] - p[-pitch + 1];
  out[j * pitch + i] = min(255, abs(gx) + abs(gy));
}

__device__ void order(float &a, float &b) {
  float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

extern "C" __global__ void median(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  float v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k)
    v[k] = in[(j + k / 3 - 1) * nx + i + k % 3 - 1];
#pragma unroll
  for (int k = 0; k < 5; ++k)
#pragma unroll
    for (int l = k + 1; l < 9; ++l)
      order(v[k], v[l]);
  out[j * nx + i] = v[4];
}

extern "C" __global__ void bilateral(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, float near, float alike) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 3 || j < 3 || i >= nx - 3 || j >= ny - 3)
    return;
  float own = in[j * nx + i], sum = 0, all = 0;
  for (int y = -3; y <= 3; ++y)
    for (int x = -3; x <= 3; ++x) {
      float v = in[(j + y) * nx + i + x], d = v - own;
      float w = __expf(-(x * x + y * y) * near - d * d * alike);
      sum += w * v;
      all += w;
    }
  out[j * nx + i] = sum / all;
}

extern "C" __global__ void grey(const uchar4 *__restrict__ in, byte *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (77 * in[i].x + 150 * in[i].y + 29 * in[i].z) >> 8;
}

extern "C" __global__ void packed_rgb(const byte *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.299f * in[3 * i] + 0.587f * in[3 * i + 1] + 0.114f * in[3 * i + 2];
}

extern "C" __global__ void resize(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int mx, int my) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= mx || j >= my)
    return;
  float x = (float)i * (nx - 1) / mx, y = (float)j * (ny - 1) / my;
  int k = (int)x, l = (int)y;
  float u = x - k, v = y - l;
  const float *p = in + l * nx + k;
  out[j * mx + i] = (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[nx] + u * p[nx + 1]);
}

extern "C" __global__ void dilate(const uchar4 *__restrict__ in, uchar4 *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= nx - 1 || j >= ny)
    return;
  uchar4 a = in[j * nx + i - 1], b = in[j * nx + i], c = in[j * nx + i + 1];
  out[j * nx + i] = make_uchar4(max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)), max(a.z, max(b.z, c.z)), max(a.w, max(b.w, c.w)));
}

extern "C" __global__ void bayer(const unsigned short *__restrict__ in, unsigned short *__restrict__ out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  const unsigned short *p = in + j * nx + i;
  unsigned cross = (p[-1] + p[1] + p[-nx] + p[nx]) / 4, corners = (p[-nx - 1] + p[-nx + 1] + p[nx - 1] + p[nx + 1]) / 4;
  bool red = (i & 1) == 0 && (j & 1) == 0, blue = (i & 1) && (j & 1);
  unsigned short *q = out + 3 * (j * nx + i);
  q[0] = red ? p[0] : blue ? corners : (j & 1) ? (p[-nx] + p[nx]) / 2 : (p[-1] + p[1]) / 2;
  q[1] = red || blue ? cross : p[0];
  q[2] = blue ? p[0] : red ? corners : (j & 1) ? (p[-1] + p[1]) / 2 : (p[-nx] + p[nx]) / 2;
}
