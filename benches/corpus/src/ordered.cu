// What orders memory: volatile, fences, flags, hints of caches, vectors that are copied.

extern "C" __global__ void produce(const float *in, float *data, volatile int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  data[i] = 2 * in[i];
  __threadfence();
  flag[i] = 1;
}

extern "C" __global__ void consume(const volatile float *data, volatile int *flag, float *out, int n, int tries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  while (flag[i] == 0 && tries-- > 0)
    __threadfence_block();
  out[i] = data[i];
}

extern "C" __global__ void volatile_row(const volatile float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 2)
    b[i] = a[i] + a[i + 1] + a[i + 2];
}

extern "C" __global__ void between(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 2)
    return;
  float x = a[i];
  __threadfence();
  float y = a[i + 1];
  __threadfence_system();
  b[i] = x + y + a[i + 2];
}

extern "C" __global__ void in_place(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  float x = a[i] + a[i + 1];
  __syncthreads();
  a[i] = x;
}

extern "C" __global__ void aliased(const float *a, float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 2)
    return;
  b[i] = a[i] + a[i + 1];
  c[i] = a[i] + a[i + 2];
}

extern "C" __global__ void hinted(const float *a, const float4 *b, float *c, float4 *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 3)
    return;
  __stcs(c + i, __ldg(a + i) + __ldcs(a + i + 1) + __ldca(a + i + 2) + __ldcg(a + i + 3));
  __stcg(d + i, __ldg(b + i));
}

extern "C" __global__ void stores_between(const float *__restrict__ a, float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 4)
    return;
  for (int k = 0; k < 4; ++k) {
    b[i + k * n] = a[i + k];
    c[i] += a[i + k + 1];
  }
}
