// Atomics of every kind, loops of compare and swap, locks, a last block that finishes.

extern "C" __global__ void kinds(int *i, unsigned *u, unsigned long long *l, float *f, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], t);
  atomicMax(&i[3], t);
  atomicAnd(&u[4], ~(1u << (t & 31)));
  atomicOr(&u[5], 1u << (t & 31));
  atomicXor(&u[6], (unsigned)t);
  atomicInc(&u[7], 100u);
  atomicDec(&u[8], 100u);
  atomicExch(&u[9], (unsigned)t);
  atomicCAS(&u[10], 0u, (unsigned)t);
  atomicAdd(&l[0], (unsigned long long)t);
  atomicMax(&l[1], (unsigned long long)t);
  atomicCAS(&l[2], 0ull, (unsigned long long)t);
  atomicAdd(&f[0], 0.5f);
  f[t + 1] = (float)atomicAdd(&i[11], 1);
}

__device__ double add(double *at, double x) {
  unsigned long long *word = (unsigned long long *)at, seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, __double_as_longlong(x + __longlong_as_double(assumed)));
  } while (assumed != seen);
  return __longlong_as_double(seen);
}

extern "C" __global__ void by_cas(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add(&out[i & 7], in[i]);
}

extern "C" __global__ void locked(int *lock, volatile float *cell, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *cell = *cell + in[i];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}

__device__ unsigned arrived;

extern "C" __global__ void last_block(const float *in, float *part, float *out, int n) {
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_xor_sync(~0u, sum, k);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (unsigned k = 0; k < gridDim.x; ++k)
      all += part[k];
    *out = all;
  }
}

#if __CUDA_ARCH__ >= 600
extern "C" __global__ void scopes(int *data, double *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd_block(&data[0], 1);
    atomicAdd_system(&data[1], 1);
    atomicAdd(sum, (double)i);
  }
}
#endif

// Rows around an atomic: what is read after it may be another value.
extern "C" __global__ void counted_row(const float *a, float *b, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 2) {
    float x = a[i];
    atomicAdd(count, 1);
    b[i] = x + a[i + 1] + a[i + 2];
  }
}
