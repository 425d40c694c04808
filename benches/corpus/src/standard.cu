// The library of CUDA C++: atomics with orders, barriers with phases, spans, tuples, complex numbers.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/span>
#include <cuda/std/tuple>

extern "C" __global__ void orders(int *data, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  cuda::atomic_ref<int, cuda::thread_scope_device> a(data[i & 7]);
  int seen = a.load(cuda::memory_order_acquire);
  a.fetch_add(1, cuda::memory_order_relaxed);
  a.store(seen, cuda::memory_order_release);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  out[i] = seen + a.exchange(i);
}

extern "C" __global__ void phases(const float *in, float *out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ float tile[128];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  for (int at = blockIdx.x * 128; at + 128 <= n; at += gridDim.x * 128) {
    cuda::memcpy_async(&tile[threadIdx.x], &in[at + threadIdx.x], sizeof(float), barrier);
    barrier.arrive_and_wait();
    out[at + threadIdx.x] = tile[127 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

extern "C" __global__ void spans(const float *in, float *out, int n) {
  cuda::std::span<const float> row(in, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 < n) {
    cuda::std::array<float, 3> window = {row[i], row[i + 1], row[i + 2]};
    auto both = cuda::std::make_tuple(window[0] + window[2], window[1]);
    out[i] = cuda::std::get<0>(both) - 2 * cuda::std::get<1>(both);
  }
}

extern "C" __global__ void complexes(const cuda::std::complex<double> *in, cuda::std::complex<double> *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    out[i] = in[i] * in[i + 1] + cuda::std::conj(in[i]);
}
