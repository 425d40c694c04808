// ptxasw: remarks
// Sums over all bodies of four floats: a load of 16 bytes and much arithmetic. Its twin branches by a table of addresses.
// launch: bodies grid=1 block=32 args=f32[128],f32[32]:zero,0
// launch: bodies grid=1 block=32 args=f32[260],f32[32]:zero,33
// launch: bodies grid=1 block=32 args=f32[532],f32[32]:zero,101
// launch: bodies grid=1 block=32 args=f32[652],f32[32]:zero,131
// launch: bodies grid=1 block=32 args=f32[1060],f32[32]:zero,233
// launch: bodies grid=1 block=32 args=f32[1188],f32[32]:zero,265
// launch: bodies grid=1 block=32 args=f32[2716],f32[32]:zero,647
// launch: bodies_not grid=1 block=32 args=f32[1],u32[1]%8,f32[32]:zero,0
// launch: bodies_not grid=1 block=32 args=f32[101],u32[101]%8,f32[32]:zero,101
// launch: bodies_not grid=1 block=32 args=f32[265],u32[265]%8,f32[32]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

struct __attribute__((aligned(16))) Body {
  float x, y, z, mass;
};

extern "C" __global__ void bodies(const Body *RESTRICT all, float *RESTRICT force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body own = all[i];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    Body other = all[k];
    float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
    float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
    sum += other.mass * inverse * inverse * inverse;
  }
  force[i] = sum;
}

extern "C" __global__ void bodies_not(const float *RESTRICT x, const int *RESTRICT kinds, float *RESTRICT out, int n) {
  float sum = 1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float value = x[i];
    switch (kinds[i]) {
    case 0: sum += value * value; break;
    case 1: sum = sqrtf(fabsf(sum)) + value; break;
    case 2: sum *= value; break;
    case 3: sum = value / (1.0f + sum * sum); break;
    case 4: sum -= value; out[threadIdx.x] = sum; break;
    case 5: sum = fmaxf(sum, value * 3.0f); break;
    case 6: sum = fminf(sum, value - 2.0f); break;
    default: sum = -sum;
    }
  }
  out[threadIdx.x] = sum;
}
