// ptxasw: remarks
// bfloat16 to float, scaled, added to what is there. Its twin reads 16 bytes at a time, where a batch brings nothing.
// launch: bfloat grid=2 block=16 args=u16[1]%16000,f32[1],0.5f,0
// launch: bfloat grid=2 block=16 args=u16[33]%16000,f32[33],0.5f,33
// launch: bfloat grid=2 block=16 args=u16[101]%16000,f32[101],0.5f,101
// launch: bfloat grid=2 block=16 args=u16[131]%16000,f32[131],0.5f,131
// launch: bfloat grid=2 block=16 args=u16[233]%16000,f32[233],0.5f,233
// launch: bfloat grid=2 block=16 args=u16[265]%16000,f32[265],0.5f,265
// launch: bfloat grid=2 block=16 args=u16[647]%16000,f32[647],0.5f,647
// launch: bfloat_not grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: bfloat_not grid=2 block=16 args=f32[404],f32[32]:zero,101
// launch: bfloat_not grid=2 block=16 args=f32[1060],f32[32]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

struct __attribute__((aligned(16))) Four {
  float x, y, z, w;
};

extern "C" __global__ void bfloat(const unsigned short *RESTRICT x, float *RESTRICT y, float scale, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += scale * __uint_as_float((unsigned)x[i] << 16);
}

extern "C" __global__ void bfloat_not(const Four *RESTRICT x, float *RESTRICT y, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Four four = x[i];
    sum += four.x + four.y + four.z + four.w;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
