// ptxasw: remarks
// llvm: yes
// int8 of a row by its scale. Its twin finds the scale by an atomic maximum.
// launch: quantize grid=2 block=32 args=f32[1],i8[1]:zero,f32[2]:value=0.0078125,0
// launch: quantize grid=2 block=32 args=f32[66],i8[66]:zero,f32[2]:value=0.0078125,33
// launch: quantize grid=2 block=32 args=f32[202],i8[202]:zero,f32[2]:value=0.0078125,101
// launch: quantize grid=2 block=32 args=f32[262],i8[262]:zero,f32[2]:value=0.0078125,131
// launch: quantize grid=2 block=32 args=f32[466],i8[466]:zero,f32[2]:value=0.0078125,233
// launch: quantize grid=2 block=32 args=f32[530],i8[530]:zero,f32[2]:value=0.0078125,265
// launch: quantize grid=2 block=32 args=f32[1294],i8[1294]:zero,f32[2]:value=0.0078125,647
// launch: quantize grid=1 block=1 args=f32[30],same0@1,f32[1]:value=0.0078125,17
// launch: quantize_not grid=2 block=32 args=f32[1],u32[2]:zero,0
// launch: quantize_not grid=2 block=32 args=f32[202],u32[2]:zero,101
// launch: quantize_not grid=2 block=32 args=f32[530],u32[2]:zero,265
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void quantize(const float *RESTRICT x, signed char *RESTRICT q, const float *RESTRICT scale, int columns) {
  const float *row = x + (long long)blockIdx.x * columns;
  signed char *to = q + (long long)blockIdx.x * columns;
  float inverse = 1.0f / scale[blockIdx.x];
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    float value = fminf(fmaxf(row[k] * inverse, -128.0f), 127.0f);
    to[k] = (signed char)__float2int_rn(value);
  }
}

extern "C" __global__ void quantize_not(const float *RESTRICT x, int *RESTRICT largest, int columns) {
  const float *row = x + (long long)blockIdx.x * columns;
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    atomicMax(largest + blockIdx.x, __float_as_int(fabsf(row[k])));
}
