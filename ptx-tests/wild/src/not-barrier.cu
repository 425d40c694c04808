// A barrier between the loads: the neighbour's store may lie before it.
extern "C" __global__ void phases(float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = a[i];
  __syncthreads();
  a[i] = first + 1.0f;
  __syncthreads();
  out[i] = first + a[i + 1];
}
