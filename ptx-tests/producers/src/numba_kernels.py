"""Numba kernels.

usage: numba_kernels.py FOLDER        writes NAME.numba.ptx, and NAME.numba.ll as NVVM gets it, for every kernel, without a GPU
"""

import sys
from pathlib import Path

from numba import cuda, float32, float64, int32, uint8, void
from numba.cuda.cudadrv import nvvm


def jacobi(w0, w1, c0, c1, c2):
    i, j = cuda.grid(2)
    ny, nx = w0.shape
    if 1 <= i < nx - 1 and 1 <= j < ny - 1:
        w1[j, i] = (c0 * w0[j, i] + c1 * (w0[j, i - 1] + w0[j - 1, i] + w0[j, i + 1] + w0[j + 1, i])
                    + c2 * (w0[j - 1, i - 1] + w0[j + 1, i - 1] + w0[j - 1, i + 1] + w0[j + 1, i + 1]))


def conv1d(src, dst, n):
    """Double precision, in a grid-stride loop."""
    for i in range(cuda.grid(1) + 1, n - 1, cuda.gridsize(1)):
        dst[i] = 0.25 * src[i - 1] + 0.5 * src[i] + 0.25 * src[i + 1]


def tile(src, dst, n):
    """A block's elements and their neighbours by way of shared memory."""
    held = cuda.shared.array(130, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if i < n:
        held[t + 1] = src[i]
    if t == 0 and i > 0:
        held[0] = src[i - 1]
    if t == 127 and i + 1 < n:
        held[129] = src[i + 1]
    cuda.syncthreads()
    if 1 <= i < n - 1:
        dst[i] = held[t] + held[t + 1] + held[t + 2]


def threshold(src, dst):
    """Bytes of a contiguous image: a cross of five."""
    i, j = cuda.grid(2)
    ny, nx = src.shape
    if 1 <= i < nx - 1 and 1 <= j < ny - 1:
        around = src[j, i - 1] + src[j, i + 1] + src[j - 1, i] + src[j + 1, i]
        dst[j, i] = 255 if 4 * src[j, i] > around else 0


KERNELS = [
    (jacobi, void(float32[:, ::1], float32[:, ::1], float32, float32, float32)),
    (conv1d, void(float64[::1], float64[::1], int32)),
    (tile, void(float32[::1], float32[::1], int32)),
    (threshold, void(uint8[:, ::1], uint8[:, ::1])),
]


def noting(compile_ir, given):
    """NVVM's entry, with the modules that it gets noted."""

    def noted(modules, **options):
        given[:] = modules
        return compile_ir(modules, **options)

    return noted


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    given = []
    nvvm.compile_ir = noting(nvvm.compile_ir, given)
    for kernel, signature in KERNELS:
        text, _ = cuda.compile_ptx(kernel, signature, cc=(8, 0))
        (folder / f"{kernel.__name__}.numba.ptx").write_text(text)
        (module,) = given
        (folder / f"{kernel.__name__}.numba.ll").write_text(module)
