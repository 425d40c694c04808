# The same for Numba.
from numba import cuda, float32, int32, void


def butterfly(out, x, n):
    i = cuda.grid(1)
    if i < n:
        out[2 * i] = x[2 * i] + x[2 * i + 1]
        out[2 * i + 1] = x[2 * i] - x[2 * i + 1]


ptx, _ = cuda.compile_ptx(butterfly, void(float32[::1], float32[::1], int32), cc=(8, 0))
with open("made.ptx", "w") as file:
    file.write(ptx)
