// ptxasw: remarks
// A histogram in shared memory, bins of its own for each thread. Its twin shares the bins, and adds by atomic operations.
// launch: shared_bins grid=2 block=16 args=u32[1],u32[32]:zero,0
// launch: shared_bins grid=2 block=16 args=u32[33],u32[32]:zero,33
// launch: shared_bins grid=2 block=16 args=u32[101],u32[32]:zero,101
// launch: shared_bins grid=2 block=16 args=u32[131],u32[32]:zero,131
// launch: shared_bins grid=2 block=16 args=u32[233],u32[32]:zero,233
// launch: shared_bins grid=2 block=16 args=u32[265],u32[32]:zero,265
// launch: shared_bins grid=2 block=16 args=u32[647],u32[32]:zero,647
// launch: shared_bins_not grid=2 block=16 args=u32[1],u32[32]:zero,0
// launch: shared_bins_not grid=2 block=16 args=u32[101],u32[32]:zero,101
// launch: shared_bins_not grid=2 block=16 args=u32[265],u32[32]:zero,265

extern "C" __global__ void shared_bins(const unsigned *x, unsigned *out, int n) {
  __shared__ unsigned bins[8 * 32];
  for (int k = 0; k < 8; ++k)
    bins[k * 32 + threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    bins[x[i] % 8 * 32 + threadIdx.x] += 1;
  unsigned sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += (k + 1) * bins[k * 32 + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void shared_bins_not(const int *x, int *out, int n) {
  __shared__ int bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[x[i] & 15], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x];
}
