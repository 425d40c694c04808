// ptxasw: remarks
// Sums over all bodies of four floats: a load of 16 bytes and much arithmetic. Its twin chooses one of eleven arms by what it has read.
// launch: attraction grid=1 block=32 args=f32[128],f32[32]:zero,0
// launch: attraction grid=1 block=32 args=f32[260],f32[32]:zero,33
// launch: attraction grid=1 block=32 args=f32[532],f32[32]:zero,101
// launch: attraction grid=1 block=32 args=f32[652],f32[32]:zero,131
// launch: attraction grid=1 block=32 args=f32[1060],f32[32]:zero,233
// launch: attraction grid=1 block=32 args=f32[1188],f32[32]:zero,265
// launch: attraction grid=1 block=32 args=f32[2716],f32[32]:zero,647
// launch: attraction_not grid=1 block=32 args=u32[1]%1000,u8[1]%11,u32[32]:zero,0
// launch: attraction_not grid=1 block=32 args=u32[101]%1000,u8[101]%11,u32[32]:zero,101
// launch: attraction_not grid=1 block=32 args=u32[265]%1000,u8[265]%11,u32[32]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

struct __attribute__((aligned(16))) Body {
  float x, y, z, mass;
};

extern "C" __global__ void attraction(const Body *RESTRICT all, float *RESTRICT force, int n) {
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

extern "C" __global__ void attraction_not(const int *RESTRICT x, const unsigned char *RESTRICT kinds, int *RESTRICT out, int n) {
  int a = 1, b = threadIdx.x;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int value = x[i];
    switch (kinds[i]) {
    case 0: a += value; break;
    case 1: a -= b; break;
    case 2: a *= 3; break;
    case 3: b = a + value; break;
    case 4: a ^= b << 2; break;
    case 5: a = a / (b | 1); break;
    case 6: out[threadIdx.x] = a; break;
    case 7: b = value * b; break;
    case 8: a = a >> (b & 7); break;
    case 9: b = a % 17; break;
    default: a = -a;
    }
  }
  out[threadIdx.x] = a + b;
}
