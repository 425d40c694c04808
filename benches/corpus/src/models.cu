// Models: options, fractals, rays, paths, reactions.

__device__ float normal(float d) {
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1 - c : c;
}

extern "C" __global__ void options(const float *__restrict__ price, const float *__restrict__ strike, const float *__restrict__ years, float *call, float *put, int n, float rate,
                                   float sigma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], x = strike[i], t = years[i], root = sqrtf(t), d = (logf(s / x) + (rate + 0.5f * sigma * sigma) * t) / (sigma * root);
  float a = normal(d), b = normal(d - sigma * root), e = x * expf(-rate * t);
  call[i] = s * a - e * b;
  put[i] = e * (1 - b) - s * (1 - a);
}

extern "C" __global__ void binomial(const float *__restrict__ leaves, float *__restrict__ out, int n, float up, float down) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = up * leaves[i + 1] + down * leaves[i];
}

extern "C" __global__ void mandelbrot(unsigned char *out, int nx, int ny, double x0, double y0, double step, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  double cx = x0 + i * step, cy = y0 + j * step, x = 0, y = 0;
  int k = 0;
  while (k < most && x * x + y * y < 4) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++k;
  }
  out[j * nx + i] = k * 255 / most;
}

struct Ray {
  float3 from, to;
};
__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

extern "C" __global__ void rays(const float4 *__restrict__ spheres, int count, uchar4 *out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  Ray ray = {make_float3(0, 0, -3), make_float3((i - nx / 2) / (float)nx, (j - ny / 2) / (float)ny, 1)};
  float light = 1;
  for (int bounce = 0; bounce < 3; ++bounce) {
    ray.to = rsqrtf(dot(ray.to, ray.to)) * ray.to;
    float nearest = 1e30f;
    int hit = -1;
    for (int s = 0; s < count; ++s) {
      float4 ball = spheres[s];
      float3 off = ray.from - make_float3(ball.x, ball.y, ball.z);
      float b = dot(off, ray.to), c = dot(off, off) - ball.w * ball.w, h = b * b - c;
      float t = -b - sqrtf(h);
      if (h > 0 && t > 1e-3f && t < nearest) {
        nearest = t;
        hit = s;
      }
    }
    if (hit < 0)
      break;
    float3 at = ray.from + nearest * ray.to, n = (1 / spheres[hit].w) * (at - make_float3(spheres[hit].x, spheres[hit].y, spheres[hit].z));
    light *= 0.5f + 0.5f * fmaxf(0.f, dot(n, make_float3(0.577f, 0.577f, -0.577f)));
    ray = {at, ray.to - 2 * dot(ray.to, n) * n};
  }
  unsigned char v = (unsigned char)(255 * light);
  out[j * nx + i] = make_uchar4(v, v, v, 255);
}

extern "C" __global__ void paths(const float *__restrict__ noise, float *__restrict__ out, int n, int steps, float drift, float sigma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 1, sum = 0;
  for (int k = 0; k < steps; ++k) {
    s *= expf(drift + sigma * noise[k * n + i]);
    sum += s;
  }
  out[i] = sum / steps;
}

extern "C" __global__ void gray_scott(const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ p, float *__restrict__ q, int nx, int ny, float f, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  int at = j * nx + i;
  float a = u[at], b = v[at], r = a * b * b;
  p[at] = a + 0.16f * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] - 4 * a) - r + f * (1 - a);
  q[at] = b + 0.08f * (v[at - 1] + v[at + 1] + v[at - nx] + v[at + nx] - 4 * b) + r - (f + k) * b;
}
