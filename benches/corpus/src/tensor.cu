// Tensor cores: wmma of several shapes and types, mma and ldmatrix by hand.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int n) {
#if __CUDA_ARCH__ >= 700
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.f);
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + column * n + k, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
#endif
}

extern "C" __global__ void bytes(const signed char *a, const signed char *b, int *c, int n) {
#if __CUDA_ARCH__ >= 720
  wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + blockIdx.y * 32 * n + k, n);
    wmma::load_matrix_sync(right, b + blockIdx.x * 8 * n + k, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  for (int k = 0; k < sum.num_elements; ++k)
    sum.x[k] = max(sum.x[k], 0);
  wmma::store_matrix_sync(c + blockIdx.y * 32 * n + blockIdx.x * 8, sum, n, wmma::mem_row_major);
#endif
}

extern "C" __global__ void by_hand(const __half *a, const __half *b, float *c, int k) {
#if __CUDA_ARCH__ >= 800
  __shared__ __align__(16) __half tile[16 * 16];
  float d[4] = {};
  int lane = threadIdx.x;
  for (int at = 0; at < k; at += 16) {
    for (int e = lane; e < 256; e += 32)
      tile[e] = a[e / 16 * k + at + e % 16];
    __syncwarp();
    unsigned x[4], y[2], place = (unsigned)__cvta_generic_to_shared(tile + (lane & 15) * 16 + lane / 16 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(place));
    y[0] = *(const unsigned *)&b[lane / 4 * k + at + lane % 4 * 2];
    y[1] = *(const unsigned *)&b[lane / 4 * k + at + lane % 4 * 2 + 8];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncwarp();
  }
  c[lane / 4 * 8 + lane % 4 * 2] = d[0];
  c[lane / 4 * 8 + lane % 4 * 2 + 1] = d[1];
  c[(lane / 4 + 8) * 8 + lane % 4 * 2] = d[2];
  c[(lane / 4 + 8) * 8 + lane % 4 * 2 + 1] = d[3];
#endif
}
