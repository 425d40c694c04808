// Kernels with barriers, shuffles and atomics as programmers write them, each also with one mistake.
// nvcc -O3 -arch=sm_80 -ptx -o kernels.ptx kernels.cu
#define BLOCK 128

// A tree over shared memory; MISTAKE leaves out the barrier of each round.
template <bool MISTAKE>
__device__ void tree(const float *in, float *out) {
    __shared__ float sums[BLOCK];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (unsigned n = BLOCK / 2; n > 0; n /= 2) {
        if (t < n)
            sums[t] += sums[t + n];
        if (!MISTAKE)
            __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
extern "C" __global__ void tree_right(const float *in, float *out) { tree<false>(in, out); }
extern "C" __global__ void tree_wrong(const float *in, float *out) { tree<true>(in, out); }

// The last rounds within a warp, which once ran in lockstep.
template <bool MISTAKE>
__device__ void last_warp(const float *in, float *out) {
    __shared__ volatile float sums[BLOCK];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    if (t < 32) {
        float sum = sums[t] + sums[t + 32] + sums[t + 64] + sums[t + 96];
        if (MISTAKE) {
            sums[t] = sum;
            for (unsigned n = 16; n > 0; n /= 2)
                if (t < n)
                    ((float *)sums)[t] += ((float *)sums)[t + n];
            sum = ((float *)sums)[t];
        } else {
            for (unsigned n = 16; n > 0; n /= 2)
                sum += __shfl_down_sync(~0u, sum, n);
        }
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}
extern "C" __global__ void last_warp_right(const float *in, float *out) { last_warp<false>(in, out); }
extern "C" __global__ void last_warp_wrong(const float *in, float *out) { last_warp<true>(in, out); }

// A histogram in shared memory, added to one of the grid; MISTAKE counts without atomics.
template <bool MISTAKE>
__device__ void histogram(const unsigned *in, unsigned *out) {
    __shared__ unsigned bins[64];
    unsigned t = threadIdx.x;
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    unsigned bin = in[blockIdx.x * BLOCK + t] % 64;
    if (MISTAKE)
        bins[bin]++;
    else
        atomicAdd(&bins[bin], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&out[t], bins[t]);
}
extern "C" __global__ void histogram_right(const unsigned *in, unsigned *out) { histogram<false>(in, out); }
extern "C" __global__ void histogram_wrong(const unsigned *in, unsigned *out) { histogram<true>(in, out); }

// The block that comes last adds what all have stored; MISTAKE leaves out the fence.
__device__ unsigned arrived;
template <bool MISTAKE>
__device__ void last_block(const float *in, float *out) {
    __shared__ bool last;
    unsigned t = threadIdx.x;
    if (t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < BLOCK; i++)
            sum += in[blockIdx.x * BLOCK + i];
        out[1 + blockIdx.x] = sum;
        if (!MISTAKE)
            __threadfence();
        last = atomicAdd(&arrived, 1) == gridDim.x - 1;
        if (!MISTAKE)
            __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += out[1 + i];
        out[0] = sum;
    }
}
extern "C" __global__ void last_block_right(const float *in, float *out) { last_block<false>(in, out); }
extern "C" __global__ void last_block_wrong(const float *in, float *out) { last_block<true>(in, out); }

// Each thread moves its element by one, in place, after a barrier; MISTAKE is the halo that another block writes.
template <bool MISTAKE>
__device__ void shift(float *data, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int last = MISTAKE ? n : (blockIdx.x + 1) * BLOCK;
    float value = i + 1 < last ? data[i + 1] : 0;
    __syncthreads();
    data[i] = value;
}
extern "C" __global__ void shift_right(float *data, int n) { shift<false>(data, n); }
extern "C" __global__ void shift_wrong(float *data, int n) { shift<true>(data, n); }
