"""Warp kernels with vectors, particles, grids and their adjoint kernels.

usage: warp_kernels.py FOLDER        writes a module for each target, without a GPU
"""

import sys
import tempfile
from pathlib import Path

import warp as wp


@wp.kernel
def heat(u: wp.array2d(dtype=float), v: wp.array2d(dtype=float), r: float):
    j, i = wp.tid()
    if i < 1 or i >= u.shape[1] - 1 or j < 1 or j >= u.shape[0] - 1:
        return
    v[j, i] = u[j, i] + r * (u[j, i - 1] + u[j, i + 1] + u[j - 1, i] + u[j + 1, i] - 4.0 * u[j, i])


@wp.kernel
def row(src: wp.array(dtype=wp.float64), dst: wp.array(dtype=wp.float64)):
    i = wp.tid()
    dst[i] = src[i] + src[i + 1] + src[i + 2]


@wp.kernel
def push(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3), dt: float):
    i = wp.tid()
    speed = v[i] + f[i] * dt
    if x[i][1] < 0.0 and speed[1] < 0.0:
        speed = wp.vec3(speed[0], -0.5 * speed[1], speed[2])
    v[i] = speed
    x[i] = x[i] + speed * dt


@wp.kernel
def springs(x: wp.array(dtype=wp.vec3), ends: wp.array(dtype=int), rest: wp.array(dtype=float), f: wp.array(dtype=wp.vec3), k: float):
    e = wp.tid()
    a, b = ends[2 * e], ends[2 * e + 1]
    d = x[b] - x[a]
    length = wp.length(d)
    force = d * (k * (length - rest[e]) / length)
    wp.atomic_add(f, a, force)
    wp.atomic_sub(f, b, force)


@wp.kernel
def turned(q: wp.array(dtype=wp.quat), m: wp.array(dtype=wp.mat33), p: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    p[i] = wp.quat_rotate(q[i], m[i] * p[i])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    wp.config.quiet = True
    wp.init()
    for arch in (75, 80, 90):
        with tempfile.TemporaryDirectory() as made:
            wp.config.kernel_cache_dir = made
            wp.compile_aot_module(heat.module, arch=arch, module_dir=made, use_ptx=True)
            [file] = Path(made).rglob("*.ptx")
            (folder / f"kernels.sm_{arch}.ptx").write_text(file.read_text().rstrip("\0"))
