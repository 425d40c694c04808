// Histograms by atomics in global and in shared memory, and by a copy for each warp.

extern "C" __global__ void global_bins(const unsigned char *in, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void shared_bins(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    if (own[k])
      atomicAdd(&bins[k], own[k]);
}

extern "C" __global__ void warp_bins(const uchar4 *in, unsigned *bins, int n) {
  __shared__ unsigned short own[8][256];
  unsigned short *mine = own[threadIdx.x / 32];
  for (int k = threadIdx.x % 32; k < 256; k += 32)
    mine[k] = 0;
  __syncwarp();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uchar4 pixel = in[i];
    unsigned key = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8;
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane)
      same += lane == (threadIdx.x & 31);
    mine[key & 255] += same;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w)
      sum += own[w][k];
    atomicAdd(&bins[k], sum);
  }
}

// Counts by a two-dimensional key: neighbours in a row of pixels.
extern "C" __global__ void cooccurrence(const unsigned char *__restrict__ in, unsigned *bins, int nx, int ny, int levels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny) {
    int a = in[j * nx + i] * levels >> 8, b = in[j * nx + i + 1] * levels >> 8;
    atomicAdd(&bins[a * levels + b], 1u);
  }
}
