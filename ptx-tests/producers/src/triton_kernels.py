"""Triton kernels: every thread of a block computes some elements of a tile.

usage: triton_kernels.py FOLDER        writes NAME.triton-ARCH.ptx and .ll for every kernel, without a GPU
"""

import os
import sys
from pathlib import Path

# Line numbers would name this folder.
os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def conv1d(src, weights, dst, n, TILE: tl.constexpr, TAPS: tl.constexpr):
    """A row of taps, whose weights stand in memory."""
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    sum = tl.zeros((TILE,), dtype=tl.float32)
    for k in tl.static_range(TAPS):
        w = tl.load(weights + k)
        sum += w * tl.load(src + i + k, mask=i + k < n, other=0.0)
    tl.store(dst + i, sum, mask=i < n)


@triton.jit
def softmax(src, dst, stride, columns, TILE: tl.constexpr):
    """One block a row: maximum, exponentials, sum, quotient."""
    row = tl.program_id(0)
    j = tl.arange(0, TILE)
    x = tl.load(src + row * stride + j, mask=j < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(dst + row * stride + j, e / tl.sum(e, axis=0), mask=j < columns)


@triton.jit
def jacobi(w0, w1, c0, c1, c2, nx, ny, TILE: tl.constexpr):
    """The nine points of a neighbourhood, one block a piece of a row."""
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1)
    inside = (i >= 1) & (i < nx - 1) & (j >= 1) & (j < ny - 1)
    p = w0 + j * nx + i
    centre = tl.load(p, mask=inside)
    edges = (tl.load(p - 1, mask=inside) + tl.load(p - nx, mask=inside)
             + tl.load(p + 1, mask=inside) + tl.load(p + nx, mask=inside))
    corners = (tl.load(p - nx - 1, mask=inside) + tl.load(p + nx - 1, mask=inside)
               + tl.load(p - nx + 1, mask=inside) + tl.load(p + nx + 1, mask=inside))
    tl.store(w1 + j * nx + i, c0 * centre + c1 * edges + c2 * corners, mask=inside)


@triton.jit
def layernorm(src, dst, gain, shift, columns, eps, TILE: tl.constexpr):
    """Mean and variance of a row in a loop over its tiles, then the normalised row."""
    row = tl.program_id(0)
    src += row * columns
    dst += row * columns
    sum = tl.zeros((TILE,), dtype=tl.float32)
    squares = tl.zeros((TILE,), dtype=tl.float32)
    for start in range(0, columns, TILE):
        j = start + tl.arange(0, TILE)
        x = tl.load(src + j, mask=j < columns, other=0.0)
        sum += x
        squares += x * x
    mean = tl.sum(sum, axis=0) / columns
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns - mean * mean + eps)
    for start in range(0, columns, TILE):
        j = start + tl.arange(0, TILE)
        inside = j < columns
        x = tl.load(src + j, mask=inside, other=0.0)
        y = (x - mean) * scale * tl.load(gain + j, mask=inside) + tl.load(shift + j, mask=inside)
        tl.store(dst + j, y, mask=inside)


POINTER = "*fp32"
JACOBI = {"w0": POINTER, "w1": POINTER, "c0": "fp32", "c1": "fp32", "c2": "fp32", "nx": "i32", "ny": "i32"}
CONV = {"src": POINTER, "weights": POINTER, "dst": POINTER, "n": "i32"}

# Name, function, types, constants, warps of a block, arguments that are multiples of 16, targets.
KERNELS = [
    # One element a thread, so that a neighbour's element is in the next lane.
    ("conv1d", conv1d, CONV, {"TILE": 128, "TAPS": 5}, 4, [], [90]),
    # Four elements a thread and aligned pointers: vector loads.
    ("conv1d_wide", conv1d, CONV, {"TILE": 512, "TAPS": 5}, 4, ["src", "weights", "dst", "n"], [80]),
    ("conv1d_half", conv1d, {**CONV, "src": "*fp16"}, {"TILE": 128, "TAPS": 3}, 4, [], [80]),
    ("softmax", softmax, {"src": POINTER, "dst": POINTER, "stride": "i32", "columns": "i32"},
     {"TILE": 256}, 4, ["src", "dst", "stride"], [80]),
    ("jacobi", jacobi, JACOBI, {"TILE": 128}, 4, ["w0", "w1"], [80]),
    ("layernorm", layernorm,
     {"src": POINTER, "dst": POINTER, "gain": POINTER, "shift": POINTER, "columns": "i32", "eps": "fp32"},
     {"TILE": 128}, 4, ["src", "dst", "gain", "shift"], [80]),
]


def compile_one(kernel, types, constants, warps, aligned, arch):
    signature = {**types, **{name: "constexpr" for name in constants}}
    order = kernel.arg_names
    attributes = {(order.index(name),): [["tt.divisibility", 16]] for name in aligned}
    source = ASTSource(kernel, {name: signature[name] for name in order}, constants, attributes)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": warps}).asm


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, kernel, types, constants, warps, aligned, targets in KERNELS:
        for arch in targets:
            made = compile_one(kernel, types, constants, warps, aligned, arch)
            for stage, extension in (("ptx", "ptx"), ("llir", "ll")):
                text = made[stage].rstrip() + "\n"
                (folder / f"{name}.triton-sm_{arch}.{extension}").write_text(text)
