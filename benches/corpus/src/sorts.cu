// Sorts: bitonic in shared memory, odd and even pairs, a radix digit, a search for the place in a merge.

extern "C" __global__ void bitonic(unsigned *data, int n) {
  __shared__ unsigned part[1024];
  int at = blockIdx.x * 1024;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    part[k] = at + k < n ? data[at + k] : 0xffffffffu;
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int k = threadIdx.x; k < 512; k += blockDim.x) {
        int low = 2 * k - (k & (step - 1)), high = low + step;
        bool up = (low & size) == 0;
        unsigned a = part[low], b = part[high];
        if ((a > b) == up) {
          part[low] = b;
          part[high] = a;
        }
      }
    }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    if (at + k < n)
      data[at + k] = part[k];
}

extern "C" __global__ void odd_even(float *data, int n, int phase) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  if (i + 1 < n) {
    float a = data[i], b = data[i + 1];
    if (a > b) {
      data[i] = b;
      data[i + 1] = a;
    }
  }
}

extern "C" __global__ void digit_counts(const unsigned *keys, unsigned *counts, int n, int shift) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16)
    own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&own[keys[i] >> shift & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

template <typename T> __device__ int lower_bound(const T *data, int n, T key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (data[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

extern "C" __global__ void merge_ranks(const int *a, const int *b, int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + lower_bound(b, m, a[i])] = a[i];
  if (i < m)
    out[i + lower_bound(a, n, b[i] + 1)] = b[i];
}

extern "C" __global__ void is_sorted(const float *__restrict__ data, int *wrong, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n && data[i] > data[i + 1])
    *wrong = 1;
}

__device__ void insertion(float *row, int n) {
  for (int i = 1; i < n; ++i) {
    float x = row[i];
    int j = i;
    for (; j > 0 && row[j - 1] > x; --j)
      row[j] = row[j - 1];
    row[j] = x;
  }
}

extern "C" __global__ void rows(float *data, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    insertion(data + row * columns, columns);
}
