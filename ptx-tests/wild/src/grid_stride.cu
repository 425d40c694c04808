// A grid-stride loop: the trip count differs between lanes.
// launch: strided grid=2 block=128 args=f32[700],f32[700],700
extern "C" __global__ void strided(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1;
       i += gridDim.x * blockDim.x)
    out[i] = in[i - 1] - 2.0f * in[i] + in[i + 1];
}
