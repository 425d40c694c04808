"""Halide pipelines with several schedules on the GPU.

usage: halide_kernels.py FOLDER        writes NAME.ptx for every pipeline, without a GPU
"""

import re
import sys
import tempfile
from pathlib import Path

import halide as hl

x, y, c, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("xi"), hl.Var("yi")


def gradient(width, height):
    """Differences of 16-bit values."""
    source = hl.ImageParam(hl.Int(16), 2, "source")
    result = hl.Func("gradient")
    result[x, y] = hl.absd(source[x + 1, y], source[x - 1, y]) + hl.absd(source[x, y + 1], source[x, y - 1])
    result.gpu_tile(x, y, xi, yi, width, height)
    return result, [source]


def taps(width, height):
    """Nine taps of doubles along a row."""
    source = hl.ImageParam(hl.Float(64), 2, "source")
    result = hl.Func("taps")
    total = hl.f64(0.0)
    for k in range(9):
        total = total + source[x + k, y] * (k + 1)
    result[x, y] = total
    result.gpu_tile(x, y, xi, yi, width, height)
    return result, [source]


def box(width, height):
    """A reduction in a loop, with a clamped border."""
    source = hl.ImageParam(hl.Float(32), 2, "source")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    r = hl.RDom([(-2, 5), (-2, 5)])
    result = hl.Func("box")
    result[x, y] = hl.sum(bounded[x + r.x, y + r.y])
    result.gpu_tile(x, y, xi, yi, width, height)
    return result, [source]


def sharpen(width, height):
    """Two stages, the first of them computed for each block in shared memory."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    wide, blurred, result = hl.Func("wide"), hl.Func("blurred"), hl.Func("sharpen")
    wide[x, y] = hl.i16(source[x, y])
    blurred[x, y] = (wide[x - 1, y] + 2 * wide[x, y] + wide[x + 1, y]) / 4
    result[x, y] = hl.u8(hl.clamp(2 * wide[x, y] - (blurred[x, y - 1] + blurred[x, y + 1]) / 2, 0, 255))
    result.gpu_tile(x, y, xi, yi, width, height)
    blurred.compute_at(result, x).gpu_threads(x, y)
    return result, [source]


def histogram(width, height):
    """An update by atomics."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    r = hl.RDom([(0, source.width()), (0, source.height())])
    result = hl.Func("histogram")
    result[x] = 0
    result[hl.i32(source[r.x, r.y])] += 1
    result.gpu_tile(x, xi, width)
    result.update().atomic().gpu_tile(r.x, hl.RVar("rxi"), width)
    return result, [source]


def ptx(pipeline, inputs, capability):
    """The PTX that Halide keeps as text among the host's code."""
    target = hl.Target(f"x86-64-linux-cuda-cuda_capability_{capability}-no_runtime")
    with tempfile.TemporaryDirectory() as folder:
        host = Path(folder) / "host.s"
        pipeline.compile_to_assembly(str(host), inputs, target)
        [text] = re.findall(r'\.asciz\s+"(.*\.version.*)"', host.read_text())
    return text.encode().decode("unicode_escape")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for make in (gradient, taps, box, sharpen, histogram):
        for width, height in ((32, 4), (64, 1), (16, 16)):
            for capability in (61, 70, 80):
                try:
                    text = ptx(*make(width, height), capability)
                except Exception as error:  # What one schedule can't do is no reason to end.
                    print(f"{make.__name__}, {capability}: {error}", file=sys.stderr)
                    continue
                (folder / f"{make.__name__}-{width}x{height}.sm_{capability}.ptx").write_text(text)
