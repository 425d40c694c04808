// Prefix sums: by doubling, by two sweeps over a tree, by shuffles, and a segmented one.

extern "C" __global__ void doubling(const int *in, int *out, int n) {
  __shared__ int part[2][256];
  int i = blockIdx.x * 256 + threadIdx.x, now = 0;
  part[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    int x = part[now][threadIdx.x];
    if (threadIdx.x >= k)
      x += part[now][threadIdx.x - k];
    now = 1 - now;
    part[now][threadIdx.x] = x;
    __syncthreads();
  }
  if (i < n)
    out[i] = part[now][threadIdx.x];
}

extern "C" __global__ void two_sweeps(const float *in, float *out, int n) {
  __shared__ float tree[512];
  int t = threadIdx.x, at = 512 * blockIdx.x;
  tree[2 * t] = at + 2 * t < n ? in[at + 2 * t] : 0;
  tree[2 * t + 1] = at + 2 * t + 1 < n ? in[at + 2 * t + 1] : 0;
  int step = 1;
  for (int width = 256; width > 0; width /= 2, step *= 2) {
    __syncthreads();
    if (t < width)
      tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
  }
  if (t == 0)
    tree[511] = 0;
  for (int width = 1; width < 512; width *= 2) {
    step /= 2;
    __syncthreads();
    if (t < width) {
      float x = tree[step * (2 * t + 1) - 1];
      tree[step * (2 * t + 1) - 1] = tree[step * (2 * t + 2) - 1];
      tree[step * (2 * t + 2) - 1] += x;
    }
  }
  __syncthreads();
  if (at + 2 * t + 1 < n) {
    out[at + 2 * t] = tree[2 * t];
    out[at + 2 * t + 1] = tree[2 * t + 1];
  }
}

extern "C" __global__ void by_shuffles(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int x = i < n ? in[i] : 0;
#pragma unroll
  for (int k = 1; k < 32; k *= 2) {
    int y = __shfl_up_sync(0xffffffffu, x, k);
    if (lane >= k)
      x += y;
  }
  if (i < n)
    out[i] = x;
}

extern "C" __global__ void heads(const int *__restrict__ key, int *__restrict__ head, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    head[i] = i == 0 || key[i] != key[i - 1];
}

extern "C" __global__ void add_carries(int *data, const int *__restrict__ carry, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x > 0)
    data[i] += carry[blockIdx.x - 1];
}

extern "C" __global__ void differences(const long long *__restrict__ in, long long *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n)
    out[i] = in[i] - 2 * in[i - 1] + in[i - 2];
}
