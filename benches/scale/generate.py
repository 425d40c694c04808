#!/usr/bin/env python3
"""CUDA C++ files with many kernels each, for builds at scale: no two kernels of a run are the same.

usage: generate.py FOLDER FILES KERNELS
"""

import random
import sys
from pathlib import Path

# Of each kind of access that ptxasw looks for, and some that it leaves alone. Braces are doubled where they are C++.
KINDS = [
    """__global__ void {name}(float *__restrict__ out, const float *__restrict__ in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= {a} && i < n - {a}) out[i] = {x}f * in[i - {a}] + {y}f * in[i] + {x}f * in[i + {a}];
}}""",
    """__global__ void {name}(float *__restrict__ out, const float *__restrict__ in, int nx, int ny) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1)
    out[j * nx + i] = {x}f * (in[j * nx + i - 1] + in[j * nx + i + 1]) + {y}f * (in[(j - 1) * nx + i] + in[(j + 1) * nx + i]);
}}""",
    """__global__ void {name}(float4 *out, const float *in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + {a} * 4 * i;
  if (i < n) out[i] = make_float4(p[0] * {x}f, p[1] * {y}f, p[2] + p[3], p[0] - p[2]);
}}""",
    """__global__ void {name}(float *y, const float *x, float s, int n) {{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = s * x[i] + {x}f * y[i];
}}""",
    """__global__ void {name}(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int n) {{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = {x}f;
  for (int j = 0; j < n; ++j) sum += a[row * n + j] * x[j * {a}];
  y[row] = sum;
}}""",
    """__global__ void {name}(float *out, const float *in) {{
  __shared__ float tile[256];
  int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 256 + t] * {x}f;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {{
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }}
  if (t == 0) out[blockIdx.x * {a}] = tile[0];
}}""",
    """__global__ void {name}(int *out, const int *__restrict__ index, const int *__restrict__ in, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]] * {a} + in[index[i] + 1];
}}""",
    """__global__ void {name}(unsigned char *__restrict__ out, const unsigned char *__restrict__ in, int n) {{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n)
    for (int k = 0; k < 4; ++k) out[i + k] = (in[i + k] * {a} + {b}) >> 3;
}}""",
    """__global__ void {name}(double *p, int n) {{
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{
    double x = p[{a} * i], y = p[{a} * i + 1];
    p[{a} * i] = x * x - y * {y};
    p[{a} * i + 1] = y * x + {x};
  }}
}}""",
]


def main() -> None:
    folder, files, kernels = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(1)
    for file in range(files):
        texts = []
        for kernel in range(kernels):
            kind = KINDS[(file + kernel) % len(KINDS)]
            name = f"k{file}_{kernel}"
            a, b = generator.randint(1, 4), generator.randint(5, 99)
            x, y = (f"{generator.uniform(0.1, 2):.6f}" for _ in range(2))
            texts.append(kind.format(name=name, a=a, b=b, x=x, y=y))
        (folder / f"f{file}.cu").write_text("\n\n".join(texts) + "\n")


if __name__ == "__main__":
    main()
