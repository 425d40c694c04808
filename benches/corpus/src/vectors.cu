// Vectors, structures and their layouts; neighbours of each.

template <typename T> __device__ T sum(T a, T b);
template <> __device__ float2 sum(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
template <> __device__ float4 sum(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
template <> __device__ double2 sum(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
template <> __device__ int4 sum(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
template <> __device__ char4 sum(char4 a, char4 b) { return make_char4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
template <> __device__ ushort2 sum(ushort2 a, ushort2 b) { return make_ushort2(a.x + b.x, a.y + b.y); }
template <> __device__ float3 sum(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }

template <typename T> __global__ void three(const T *__restrict__ in, T *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = sum(sum(in[i - 1], in[i]), in[i + 1]);
}
template __global__ void three<float2>(const float2 *, float2 *, int);
template __global__ void three<float3>(const float3 *, float3 *, int);
template __global__ void three<float4>(const float4 *, float4 *, int);
template __global__ void three<double2>(const double2 *, double2 *, int);
template __global__ void three<int4>(const int4 *, int4 *, int);
template __global__ void three<char4>(const char4 *, char4 *, int);
template __global__ void three<ushort2>(const ushort2 *, ushort2 *, int);

struct Cell {
  double energy;
  float pressure, flow[3];
  int kind;
  unsigned char flags;
};

extern "C" __global__ void cells(const Cell *__restrict__ in, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  const Cell &a = in[i], &b = in[i + 1];
  out[i] = a.energy - b.energy + (a.kind == b.kind ? a.flow[0] * b.pressure : a.flow[2]) + (b.flags & 3);
}

struct Fields {
  float *density, *u, *v;
  int nx, ny;
};

extern "C" __global__ void by_fields(Fields f, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < 1 || i >= f.nx - 1)
    return;
  int at = j * f.nx + i;
  out[at] = f.density[at] * (f.u[at + 1] - f.u[at - 1]) + f.v[at];
}

extern "C" __global__ void scalars_of_vectors(const float *__restrict__ in, float4 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 3)
    out[i] = make_float4(in[i], in[i + 1], in[i + 2], in[i + 3]);
}

extern "C" __global__ void strided(const float *__restrict__ in, float *__restrict__ out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = in[i * stride] + in[(i + 1) * stride];
}

extern "C" __global__ void offsets(const float *__restrict__ in, float *__restrict__ out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + k] + in[i + k + 1] + in[i + k + 2];
}
