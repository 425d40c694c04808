// Particles: all pairs, cells, smoothed densities, pushing charges through a field.

extern "C" __global__ void all_pairs(const float4 *body, float4 *force, int n, float soft) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = body[i < n ? i : 0];
  float3 sum = make_float3(0, 0, 0);
  for (int at = 0; at < n; at += blockDim.x) {
    tile[threadIdx.x] = at + threadIdx.x < n ? body[at + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < blockDim.x; ++k) {
      float4 other = tile[k];
      float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      float r = rsqrtf(x * x + y * y + z * z + soft), f = other.w * r * r * r;
      sum.x += x * f;
      sum.y += y * f;
      sum.z += z * f;
    }
    __syncthreads();
  }
  if (i < n)
    force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

extern "C" __global__ void lennard_jones(const float3 *__restrict__ at, const int *__restrict__ list, const int *__restrict__ count, float3 *__restrict__ force, int n,
                                         int most, float cut) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 own = at[i], sum = make_float3(0, 0, 0);
  for (int k = 0; k < count[i]; ++k) {
    float3 other = at[list[k * n + i]];
    float x = own.x - other.x, y = own.y - other.y, z = own.z - other.z, r2 = x * x + y * y + z * z;
    if (r2 >= cut)
      continue;
    float s = 1 / r2, s6 = s * s * s, f = 24 * s * s6 * (2 * s6 - 1);
    sum.x += f * x;
    sum.y += f * y;
    sum.z += f * z;
  }
  force[i] = sum;
}

extern "C" __global__ void push(float *x, float *v, const float *__restrict__ field, int n, int cells, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float at = x[i];
  int cell = (int)at;
  if (cell < 0 || cell >= cells - 1)
    return;
  float w = at - cell, e = (1 - w) * field[cell] + w * field[cell + 1];
  v[i] += e * dt;
  x[i] = at + v[i] * dt;
}

// One thread a cell: the field from the potential of its neighbours.
extern "C" __global__ void field(const double *__restrict__ potential, double *__restrict__ e, int n, double h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    e[i] = (potential[i - 1] - potential[i + 1]) / (2 * h);
}

extern "C" __global__ void cell_heads(const int *__restrict__ cell, int *first, int *last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int own = cell[i];
  if (i == 0 || cell[i - 1] != own)
    first[own] = i;
  if (i == n - 1 || cell[i + 1] != own)
    last[own] = i + 1;
}

extern "C" __global__ void density(const float4 *at, float *rho, int n, float h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0, h2 = h * h;
  for (int j = 0; j < n; ++j) {
    float x = at[j].x - at[i].x, y = at[j].y - at[i].y, z = at[j].z - at[i].z, d = h2 - (x * x + y * y + z * z);
    if (d > 0)
      sum += at[j].w * d * d * d;
  }
  rho[i] = 1.566682f * sum / powf(h, 9);
}
