// Kernels that start kernels.
// only: nvcc
// nvcc: -rdc=true

__global__ void child(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1];
}

extern "C" __global__ void parent(const int *sizes, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && sizes[i] > 32)
    child<<<(sizes[i] + 127) / 128, 128>>>(in + i * 4096, out + i * 4096, sizes[i]);
}

extern "C" __device__ float elsewhere(float);

extern "C" __global__ void linked(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = elsewhere(in[i]) + in[i + 1];
}
