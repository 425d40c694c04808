"""Numba kernels of the usual kinds, for several targets, with and without lines and debug information.

usage: numba_kernels.py FOLDER        writes NAME.ptx for every kernel, without a GPU
"""

import math
import sys
from pathlib import Path

from numba import cuda, complex64, float32, float64, int32, int64, uint8, uint16, void


def row(src, dst):
    i = cuda.grid(1)
    if 1 <= i < src.size - 1:
        dst[i] = src[i - 1] + 2 * src[i] + src[i + 1]


def rows_of_strides(src, dst):
    start, stride = cuda.grid(1), cuda.gridsize(1)
    for i in range(start + 2, src.shape[0] - 2, stride):
        total = src[i]
        for k in range(1, 3):
            total += src[i - k] + src[i + k]
        dst[i] = total


def heat(u, v, r):
    j, i = cuda.grid(2)
    if 1 <= i < u.shape[1] - 1 and 1 <= j < u.shape[0] - 1:
        v[j, i] = u[j, i] + r * (u[j, i - 1] + u[j, i + 1] + u[j - 1, i] + u[j + 1, i] - 4 * u[j, i])


def product(a, b, c):
    left, right = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.grid(2)
    total = float32(0)
    for k in range(a.shape[1] // 16):
        left[y, x] = a[j, k * 16 + x]
        right[y, x] = b[k * 16 + y, i]
        cuda.syncthreads()
        for l in range(16):
            total += left[y, l] * right[l, x]
        cuda.syncthreads()
    c[j, i] = total


def histogram(src, bins):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(bins, src[i] % 256, 1)


def mandelbrot(out, most):
    i, j = cuda.grid(2)
    if i < out.shape[1] and j < out.shape[0]:
        c = complex(3.0 * i / out.shape[1] - 2, 2.0 * j / out.shape[0] - 1)
        z = 0j
        for k in range(most):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag > 4:
                out[j, i] = k
                return
        out[j, i] = most


def options(price, strike, years, call):
    i = cuda.grid(1)
    if i < price.size:
        root = math.sqrt(years[i])
        d = (math.log(price[i] / strike[i]) + 0.06 * years[i]) / (0.3 * root)
        call[i] = price[i] * 0.5 * math.erfc(-d) - strike[i] * math.exp(-0.02 * years[i])


def sums(src, dst):
    i, lane = cuda.grid(1), cuda.laneid
    x = src[i] if i < src.size else float32(0)
    offset = 16
    while offset > 0:
        x += cuda.shfl_down_sync(0xFFFFFFFF, x, offset)
        offset //= 2
    if lane == 0:
        cuda.atomic.add(dst, 0, x)


def complexes(src, dst):
    i = cuda.grid(1)
    if i < src.size - 1:
        dst[i] = src[i] * src[i + 1]


def own_arrays(src, dst):
    i = cuda.grid(1)
    window = cuda.local.array(8, float64)
    if i < src.size - 8:
        for k in range(8):
            window[k] = src[i + k]
        for a in range(8):
            for b in range(a + 1, 8):
                if window[b] < window[a]:
                    window[a], window[b] = window[b], window[a]
        dst[i] = window[4]


KERNELS = [
    (row, "float", void(float32[::1], float32[::1])),
    (row, "strided", void(float32[:], float32[:])),
    (row, "short", void(uint16[::1], uint16[::1])),
    (row, "long", void(int64[::1], int64[::1])),
    (rows_of_strides, "double", void(float64[::1], float64[::1])),
    (heat, "float", void(float32[:, ::1], float32[:, ::1], float32)),
    (heat, "double", void(float64[:, :], float64[:, :], float64)),
    (product, "float", void(float32[:, ::1], float32[:, ::1], float32[:, ::1])),
    (histogram, "bytes", void(uint8[::1], int32[::1])),
    (mandelbrot, "ints", void(int32[:, ::1], int32)),
    (options, "double", void(float64[::1], float64[::1], float64[::1], float64[::1])),
    (sums, "float", void(float32[::1], float32[::1])),
    (complexes, "single", void(complex64[::1], complex64[::1])),
    (own_arrays, "double", void(float64[::1], float64[::1])),
]
OPTIONS = {"sm_75": ((7, 5), {}), "sm_80": ((8, 0), {}), "sm_90-fast": ((9, 0), {"fastmath": True}), "sm_80-lines": ((8, 0), {"lineinfo": True}),
           "sm_80-debug": ((8, 0), {"debug": True, "opt": False})}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for kernel, types, signature in KERNELS:
        for name, (cc, options) in OPTIONS.items():
            try:
                text, _ = cuda.compile_ptx(kernel, signature, cc=cc, **options)
            except Exception as error:  # What one target can't do is no reason to end.
                print(f"{kernel.__name__}, {name}: {type(error).__name__}", file=sys.stderr)
                continue
            (folder / f"{kernel.__name__}-{types}.{name}.ptx").write_text(text)
