"""Warp kernels.

usage: warp_kernels.py FOLDER        writes NAME.warp.ptx for every kernel, without a GPU
"""

import re
import sys
import tempfile
from pathlib import Path

import warp as wp


@wp.kernel(enable_backward=False)
def jacobi(w0: wp.array2d(dtype=float), w1: wp.array2d(dtype=float), c0: float, c1: float, c2: float):
    j, i = wp.tid()
    if i < 1 or i >= w0.shape[1] - 1 or j < 1 or j >= w0.shape[0] - 1:
        return
    w1[j, i] = (c0 * w0[j, i] + c1 * (w0[j, i - 1] + w0[j - 1, i] + w0[j, i + 1] + w0[j + 1, i])
                + c2 * (w0[j - 1, i - 1] + w0[j + 1, i - 1] + w0[j - 1, i + 1] + w0[j + 1, i + 1]))


@wp.kernel(enable_backward=False)
def conv1d(src: wp.array(dtype=float), weights: wp.array(dtype=float), dst: wp.array(dtype=float)):
    i = wp.tid()
    if i + 4 < src.shape[0]:
        total = float(0.0)
        for k in range(5):
            total += weights[k] * src[i + k]
        dst[i] = total


def own(text):
    """Less the variables of Warp's library that no kernel names."""
    head, mark, kernels = text.partition("\n.visible ")
    lines = [line for line in head.splitlines()
             if not (found := re.match(r"\.(?:const|global|shared) .* (\w+)(?:\[\d*\])*(?: = .*)?;$", line))
             or re.search(rf"\b{found[1]}\b", kernels)]
    return "\n".join(lines) + mark + kernels


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    wp.config.quiet = True
    wp.init()
    with tempfile.TemporaryDirectory() as made:
        wp.config.kernel_cache_dir = made
        wp.compile_aot_module(jacobi.module, arch=80, module_dir=made, use_ptx=True)
        [file] = Path(made).rglob("*.ptx")
        text = file.read_text().rstrip("\0")
    (folder / "stencils.warp.ptx").write_text(own(text))
