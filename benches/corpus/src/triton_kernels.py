"""Triton kernels of the usual kinds: products, attention, norms, convolutions, histograms, atomics; several types, targets and widths.

usage: triton_kernels.py FOLDER        writes NAME.ptx for every kernel, without a GPU
"""

import os
import sys
from pathlib import Path

os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def row(x, out, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = i < n - 2
    tl.store(out + i, tl.load(x + i, mask=inside) + 2 * tl.load(x + i + 1, mask=inside) + tl.load(x + i + 2, mask=inside), mask=inside)


@triton.jit
def whole_row(x, out, TILE: tl.constexpr):
    """No mask: the whole block is there."""
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + i, tl.load(x + i) + tl.load(x + i + 1) + tl.load(x + i + 2) + tl.load(x + i + 3))


@triton.jit
def product(a, b, c, n, m, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    sum = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        l = start + tl.arange(0, K)
        x = tl.load(a + i[:, None] * k + l[None, :], mask=(i[:, None] < n) & (l[None, :] < k), other=0.0)
        y = tl.load(b + l[:, None] * m + j[None, :], mask=(l[:, None] < k) & (j[None, :] < m), other=0.0)
        sum = tl.dot(x, y, sum)
    tl.store(c + i[:, None] * m + j[None, :], sum, mask=(i[:, None] < n) & (j[None, :] < m))


@triton.jit
def attention(q, k, v, out, length, scale, TILE: tl.constexpr, SIZE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    d = tl.arange(0, SIZE)
    query = tl.load(q + i[:, None] * SIZE + d[None, :])
    most = tl.full((TILE,), -float("inf"), dtype=tl.float32)
    sum = tl.zeros((TILE,), dtype=tl.float32)
    result = tl.zeros((TILE, SIZE), dtype=tl.float32)
    for start in range(0, length, TILE):
        j = start + tl.arange(0, TILE)
        key = tl.load(k + j[None, :] * SIZE + d[:, None])
        s = tl.dot(query, key) * scale
        s = tl.where(i[:, None] >= j[None, :], s, -float("inf"))
        larger = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - larger[:, None])
        old = tl.exp(most - larger)
        sum = sum * old + tl.sum(p, 1)
        value = tl.load(v + j[:, None] * SIZE + d[None, :])
        result = result * old[:, None] + tl.dot(p.to(value.dtype), value)
        most = larger
    tl.store(out + i[:, None] * SIZE + d[None, :], result / sum[:, None])


@triton.jit
def image(x, w, out, nx, ny, TX: tl.constexpr, TY: tl.constexpr, R: tl.constexpr):
    i = tl.program_id(0) * TX + tl.arange(0, TX)[None, :]
    j = tl.program_id(1) * TY + tl.arange(0, TY)[:, None]
    sum = tl.zeros((TY, TX), dtype=tl.float32)
    for v in tl.static_range(2 * R + 1):
        for u in tl.static_range(2 * R + 1):
            k, l = i + u - R, j + v - R
            sum += tl.load(w + v * (2 * R + 1) + u) * tl.load(x + l * nx + k, mask=(k >= 0) & (k < nx) & (l >= 0) & (l < ny), other=0.0)
    tl.store(out + j * nx + i, sum, mask=(i < nx) & (j < ny))


@triton.jit
def sums(x, out, columns, TILE: tl.constexpr):
    j = tl.arange(0, TILE)
    values = tl.load(x + tl.program_id(0) * columns + j, mask=j < columns, other=0)
    tl.store(out + tl.program_id(0) * columns + j, tl.cumsum(values, 0), mask=j < columns)


@triton.jit
def counts(x, bins, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.atomic_add(bins + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)


@triton.jit
def turned(x, out, nx, ny, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    j = tl.program_id(1) * TILE + tl.arange(0, TILE)
    values = tl.load(x + j[:, None] * nx + i[None, :], mask=(j[:, None] < ny) & (i[None, :] < nx))
    tl.store(out + i[:, None] * ny + j[None, :], tl.trans(values), mask=(i[:, None] < nx) & (j[None, :] < ny))


@triton.jit
def dropped(x, out, n, seed, p, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i, mask=i < n) / (1 - p), 0.0), mask=i < n)


@triton.jit
def activated(x, out, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(out + i, (v * tl.sigmoid(1.702 * v)).to(out.dtype.element_ty), mask=i < n)


F, H, I = "*fp32", "*fp16", "*i32"
# Function, types, constants, those of the pointers and sizes that are aligned.
KERNELS = [
    (add, {"x": F, "y": F, "out": F, "n": "i32"}, [{"TILE": 128}, {"TILE": 1024}], "x y out"),
    (row, {"x": F, "out": F, "n": "i32"}, [{"TILE": 128}, {"TILE": 256}, {"TILE": 64}], "x out"),
    (row, {"x": "*fp64", "out": "*fp64", "n": "i32"}, [{"TILE": 128}], "x"),
    (row, {"x": "*i16", "out": "*i16", "n": "i32"}, [{"TILE": 128}], ""),
    (row, {"x": "*i8", "out": "*i8", "n": "i64"}, [{"TILE": 128}], "x out n"),
    (whole_row, {"x": F, "out": F}, [{"TILE": 128}, {"TILE": 512}], "out"),
    (product, {"a": H, "b": H, "c": F, "n": "i32", "m": "i32", "k": "i32"}, [{"M": 64, "N": 64, "K": 32}, {"M": 128, "N": 64, "K": 64}], "a b c n m k"),
    (product, {"a": F, "b": F, "c": F, "n": "i32", "m": "i32", "k": "i32"}, [{"M": 32, "N": 32, "K": 16}], "a b c"),
    (attention, {"q": H, "k": H, "v": H, "out": F, "length": "i32", "scale": "fp32"}, [{"TILE": 64, "SIZE": 64}], "q k v out"),
    (image, {"x": F, "w": F, "out": F, "nx": "i32", "ny": "i32"}, [{"TX": 32, "TY": 4, "R": 1}, {"TX": 128, "TY": 1, "R": 2}], "x out"),
    (sums, {"x": F, "out": F, "columns": "i32"}, [{"TILE": 128}, {"TILE": 512}], "x out"),
    (sums, {"x": I, "out": I, "columns": "i32"}, [{"TILE": 256}], ""),
    (counts, {"x": I, "bins": I, "n": "i32"}, [{"TILE": 256}], "x"),
    (turned, {"x": F, "out": F, "nx": "i32", "ny": "i32"}, [{"TILE": 32}, {"TILE": 64}], "x out nx ny"),
    (dropped, {"x": F, "out": F, "n": "i32", "seed": "i32", "p": "fp32"}, [{"TILE": 256}], "x out"),
    (activated, {"x": "*bf16", "out": "*bf16", "n": "i32"}, [{"TILE": 256}], "x out"),
]
TARGETS = (80, 86, 90, 100)

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for number, (kernel, types, variants, aligned) in enumerate(KERNELS):
        for constants in variants:
            for arch in TARGETS:
                order = kernel.arg_names
                signature = {name: types.get(name, "constexpr") for name in order}
                attributes = {(order.index(name),): [["tt.divisibility", 16]] for name in aligned.split()}
                source = ASTSource(kernel, signature, constants, attributes)
                try:
                    made = triton.compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": 4})
                except Exception as error:  # What one target can't do is no reason to end.
                    print(f"{kernel.__name__}, sm_{arch}: {type(error).__name__}", file=sys.stderr)
                    continue
                size = "x".join(str(value) for value in constants.values())
                (folder / f"{kernel.__name__}{number}-{size}.sm_{arch}.ptx").write_text(made.asm["ptx"].rstrip() + "\n")
