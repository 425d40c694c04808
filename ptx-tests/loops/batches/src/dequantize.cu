// ptxasw: remarks
// float of int8, four values of 64 for each scale. Its twin reads its one scale again in each iteration, which the store may have hit.
// launch: dequantize grid=2 block=16 args=i8[1],f32[1],u8[1],f32[1]:zero,0
// launch: dequantize grid=2 block=16 args=i8[33],f32[1],u8[1],f32[33]:zero,33
// launch: dequantize grid=2 block=16 args=i8[101],f32[2],u8[2],f32[101]:zero,101
// launch: dequantize grid=2 block=16 args=i8[131],f32[3],u8[3],f32[131]:zero,131
// launch: dequantize grid=2 block=16 args=i8[233],f32[4],u8[4],f32[233]:zero,233
// launch: dequantize grid=2 block=16 args=i8[265],f32[5],u8[5],f32[265]:zero,265
// launch: dequantize grid=2 block=16 args=i8[647],f32[11],u8[11],f32[647]:zero,647
// launch: dequantize_not grid=2 block=16 args=i8[1],f32[1],f32[1]:zero,0
// launch: dequantize_not grid=2 block=16 args=i8[101],f32[1],f32[101]:zero,101
// launch: dequantize_not grid=2 block=16 args=i8[265],f32[1],f32[265]:zero,265
// launch: dequantize_not grid=1 block=1 args=i8[9],f32[9]@4,same1@0,9
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void dequantize(const signed char *RESTRICT q, const float *RESTRICT scales, const unsigned char *RESTRICT zeros, float *RESTRICT x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = (float)(q[i] - zeros[i / 64]) * scales[i / 64];
}

extern "C" __global__ void dequantize_not(const signed char *RESTRICT q, const float *scale, float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = (float)q[i] * *scale;
}
