"""Kernels compiled at run time by NVRTC, as CuPy's do: C++ templates, a shared-memory tile, a view of strides.

usage: nvrtc_kernels.py FOLDER        writes NAME.nvrtc.ptx for every kernel, without a GPU
"""

import sys
from pathlib import Path

from cuda.bindings import nvrtc

# Elements of a flat array, 64-bit index, one thread one element or several.
ELEMENTWISE = r"""
template <typename T> class Raw {
  T *data;
  long long length;
public:
  __device__ T &operator[](long long i) const { return data[i]; }
  __device__ long long size() const { return length; }
};

extern "C" __global__ void conv1d(const Raw<double> src, const Raw<double> weights, Raw<double> dst, long long n) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    if (i >= 2 && i < n - 2) {
      double sum = 0;
#pragma unroll
      for (int k = 0; k < 5; ++k)
        sum += weights[k] * src[i + k - 2];
      dst[i] = sum;
    }
  }
}
"""

# A tile and its border in shared memory.
TILE = r"""
template <int WIDTH, int HEIGHT> __device__ void blur_tile(const float *src, float *dst, int nx, int ny) {
  __shared__ float tile[HEIGHT + 2][WIDTH + 2];
  int i = blockIdx.x * WIDTH + threadIdx.x;
  int j = blockIdx.y * HEIGHT + threadIdx.y;
  for (int y = threadIdx.y; y < HEIGHT + 2; y += HEIGHT)
    for (int x = threadIdx.x; x < WIDTH + 2; x += WIDTH) {
      int column = min(max((int)(blockIdx.x * WIDTH + x) - 1, 0), nx - 1);
      int row = min(max((int)(blockIdx.y * HEIGHT + y) - 1, 0), ny - 1);
      tile[y][x] = src[row * nx + column];
    }
  __syncthreads();
  if (i >= nx || j >= ny)
    return;
  float sum = 0;
#pragma unroll
  for (int y = 0; y < 3; ++y)
#pragma unroll
    for (int x = 0; x < 3; ++x)
      sum += tile[threadIdx.y + y][threadIdx.x + x];
  dst[j * nx + i] = sum / 9;
}

extern "C" __global__ void __launch_bounds__(256) blur(const float *src, float *dst, int nx, int ny) {
  blur_tile<32, 8>(src, dst, nx, ny);
}
"""

# Pixels of four bytes, read as vectors.
PIXELS = r"""
extern "C" __global__ void smooth(const uchar4 *__restrict__ src, uchar4 *__restrict__ dst, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= nx - 1 || j >= ny)
    return;
  uchar4 a = src[j * nx + i - 1], b = src[j * nx + i], c = src[j * nx + i + 1];
  dst[j * nx + i] = make_uchar4((a.x + 2 * b.x + c.x) / 4, (a.y + 2 * b.y + c.y) / 4, (a.z + 2 * b.z + c.z) / 4, b.w);
}
"""

KERNELS = [
    ("conv1d", ELEMENTWISE, "sm_80"),
    ("blur_tile", TILE, "sm_80"),
    ("smooth", PIXELS, "sm_90"),
]


def checked(result):
    status, *values = result
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


def ptx(source, arch):
    program = checked(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], []))
    options = [f"--gpu-architecture={arch.replace('sm', 'compute')}".encode(), b"--std=c++17"]
    status, = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        log = b" " * checked(nvrtc.nvrtcGetProgramLogSize(program))
        nvrtc.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.decode())
    text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
    checked(nvrtc.nvrtcGetPTX(program, text))
    return text.rstrip(b"\0").decode()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, source, arch in KERNELS:
        (folder / f"{name}.nvrtc.ptx").write_text(ptx(source, arch))
