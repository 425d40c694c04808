// A barrier between the loads: the neighbour's store may lie before it.
// launch: phases grid=1 block=128 args=f32[129],f32[128],128
extern "C" __global__ void phases(float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = a[i];
  __syncthreads();
  a[i] = first + 1.0f;
  __syncthreads();
  out[i] = first + a[i + 1];
}
