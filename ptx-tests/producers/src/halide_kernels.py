"""Halide pipelines with a GPU schedule.

usage: halide_kernels.py FOLDER        writes NAME.halide.ptx for every pipeline, without a GPU
"""

import re
import sys
import tempfile
from pathlib import Path

import halide as hl

x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")


def blur():
    """A 3x3 blur of bytes, both passes in one."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    wide = hl.Func("wide")
    wide[x, y] = hl.u16(source[x, y])
    rows = lambda i, j: wide[i - 1, j] + wide[i, j] + wide[i + 1, j]
    result = hl.Func("blur")
    result[x, y] = hl.u8((rows(x, y - 1) + rows(x, y) + rows(x, y + 1)) / 9)
    result.gpu_tile(x, y, xi, yi, 32, 4)
    return result, [source]


def five_points():
    """A five-point stencil on floats."""
    source = hl.ImageParam(hl.Float(32), 2, "source")
    result = hl.Func("five_points")
    result[x, y] = 0.25 * (source[x - 1, y] + source[x + 1, y] + source[x, y - 1] + source[x, y + 1]) - source[x, y]
    result.gpu_tile(x, y, xi, yi, 64, 2)
    return result, [source]


def clamped():
    """A row of taps whose reads stop at the image's border."""
    source = hl.ImageParam(hl.Float(32), 2, "source")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    result = hl.Func("clamped")
    result[x, y] = sum((bounded[x + k, y] for k in range(-2, 3)), hl.f32(0.0)) * hl.f32(0.2)
    result.gpu_tile(x, y, xi, yi, 128, 1)
    return result, [source]


def staged():
    """A blur in two passes, the first in shared memory."""
    source = hl.ImageParam(hl.Float(32), 2, "source")
    rows, result = hl.Func("rows"), hl.Func("staged")
    rows[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3
    result[x, y] = (rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 3
    result.gpu_tile(x, y, xi, yi, 32, 8)
    rows.compute_at(result, x).gpu_threads(x, y)
    return result, [source]


def ptx(pipeline, inputs):
    """The PTX that Halide keeps as text among the host's code."""
    target = hl.Target("x86-64-linux-cuda-cuda_capability_80-no_runtime")
    with tempfile.TemporaryDirectory() as folder:
        host = Path(folder) / "host.s"
        pipeline.compile_to_assembly(str(host), inputs, target)
        [text] = re.findall(r'\.asciz\s+"(.*\.version.*)"', host.read_text())
    return text.encode().decode("unicode_escape")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for make in (blur, five_points, clamped, staged):
        (folder / f"{make.__name__}.halide.ptx").write_text(ptx(*make()))
