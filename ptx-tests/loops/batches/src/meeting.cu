// ptxasw: remarks
// Two indices meet: i goes up, j down, while i < j. Its twin meets where a loaded value says.
// launch: meeting grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: meeting grid=2 block=16 args=f32[32],f32[32]:zero,1
// launch: meeting grid=2 block=16 args=f32[64],f32[32]:zero,2
// launch: meeting grid=2 block=16 args=f32[96],f32[32]:zero,3
// launch: meeting grid=2 block=16 args=f32[224],f32[32]:zero,7
// launch: meeting grid=2 block=16 args=f32[256],f32[32]:zero,8
// launch: meeting grid=2 block=16 args=f32[288],f32[32]:zero,9
// launch: meeting grid=2 block=16 args=f32[512],f32[32]:zero,16
// launch: meeting grid=2 block=16 args=f32[544],f32[32]:zero,17
// launch: meeting grid=2 block=16 args=f32[1376],f32[32]:zero,43
// launch: meeting_not grid=2 block=16 args=f32[1],f32[32]:zero,0
// launch: meeting_not grid=2 block=16 args=f32[96],f32[32]:zero,3
// launch: meeting_not grid=2 block=16 args=f32[288],f32[32]:zero,9

extern "C" __global__ void meeting(const float *x, float *out, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *at = x + row * columns;
  float sum = 0;
  for (int i = 0, j = columns - 1; i < j; ++i, --j)
    sum += at[i] * at[j];
  out[row] = sum;
}

extern "C" __global__ void meeting_not(const float *x, float *out, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *at = x + row * columns;
  int i = 0, j = columns - 1;
  while (i < j) {
    if (at[i] < at[j])
      ++i;
    else
      --j;
  }
  out[row] = i;
}
