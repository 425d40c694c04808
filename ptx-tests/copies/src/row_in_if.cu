// ptxasw: remarks
// A row of nine points inside an `if`, with a join behind it.
// launch: row_in_if grid=2 block=128 args=f32[300],f32[300],0.5f,200
// launch: row_in_if grid=2 block=48 args=f32[300],f32[300],0.5f,71
// launch: row_in_if grid=1 block=16,8 args=f32[300],f32[300],0.5f,100
// launch: row_in_if grid=1 block=16,8 args=f32[300],f32[300],0.5f,13
// launch: row_in_if grid=1 block=1000 args=f32[1100],f32[1100],0.5f,977
extern "C" __global__ void row_in_if(const float *__restrict__ in, float *__restrict__ out, float rest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float v = rest;
  if (i < n)
    v = in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5] + in[i + 6] + in[i + 7] + in[i + 8];
  out[t] = v * v;
}
