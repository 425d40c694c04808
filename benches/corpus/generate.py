#!/usr/bin/env python3
"""PTX of many producers from the sources of this repository, in target/corpus/PRODUCER: `make corpus`.

usage: generate.py [-j N] [--only PRODUCER,...] [--retry]

What is there and newer than its source stays. A source that a producer refuses leaves its complaint in a `.log` beside,
and is tried again with --retry. Compilers that can be had as wheels are installed below target; a producer that is not
there is named in one line, and skipped.
"""

import argparse
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TOOLCHAIN = Path(os.environ.get("PTXASW_TOOLCHAIN", TARGET / "toolchain"))
TOOLS = TARGET / "corpus-tools"
CORPUS = TARGET / "corpus"

# A CUDA 11 or 12 has no nvcc among its wheels; NVRTC is the same compiler without a front end for the host.
WHEELS = {
    "nvcc-13.0": ["nvidia-cuda-nvcc==13.0.*", "nvidia-nvvm==13.0.*", "nvidia-cuda-crt==13.0.*", "nvidia-cuda-runtime==13.0.*", "nvidia-cuda-cccl==13.0.*"],
    "nvrtc-11": ["nvidia-cuda-nvrtc-cu11==11.8.*", "nvidia-cuda-runtime-cu11==11.8.*", "nvidia-cuda-nvcc-cu11==11.8.*"],
    "nvrtc-12": ["nvidia-cuda-nvrtc-cu12==12.9.*", "nvidia-cuda-runtime-cu12==12.9.*", "nvidia-cuda-nvcc-cu12==12.9.*", "nvidia-cuda-cccl-cu12==12.9.*"],
}
# Those of ptx-tests/producers/generate.sh.
PYTHON = ["triton==3.9.0", "halide==21.0.0", "numba==0.68.1", "numba-cuda==0.30.4", "warp-lang==1.19.0", "cuda-bindings==13.5.*", "nvidia-cuda-nvrtc==13.5.*",
          "nvidia-nvvm==13.5.*", "nvidia-cuda-runtime==13.5.*", "nvidia-cuda-cccl==13.*", "nvidia-cuda-nvcc==13.5.*"]

# Options by the name that they give a file.
NVCC = {
    "sm_80": ["-arch=sm_80"],
    "sm_75": ["-arch=sm_75"],
    "sm_90": ["-arch=sm_90"],
    "sm_120": ["-arch=sm_120"],
    "sm_80-debug": ["-arch=sm_80", "-G"],
    "sm_80-lines": ["-arch=sm_80", "-lineinfo"],
    "sm_80-fast": ["-arch=sm_80", "-use_fast_math"],
    "sm_80-r32": ["-arch=sm_80", "-maxrregcount=32"],
    "sm_80-O1": ["-arch=sm_80", "-Xcicc", "-O1"],
    "sm_86-rdc": ["-arch=sm_86", "-rdc=true"],
}
OLDER_NVCC = {"sm_80": ["-arch=sm_80"], "sm_89": ["-arch=sm_89", "-lineinfo"]}
NVRTC_11 = {"sm_60": ["-arch=compute_60"], "sm_80": ["-arch=compute_80"], "sm_70-lines": ["-arch=compute_70", "-lineinfo"]}
NVRTC_12 = {"sm_70": ["-arch=compute_70"], "sm_90": ["-arch=compute_90"], "sm_80-fast": ["-arch=compute_80", "-use_fast_math"], "sm_80-debug": ["-arch=compute_80", "-G"]}
CLANG = {
    "sm_80-O3": ["--cuda-gpu-arch=sm_80", "-O3"],
    "sm_70-O2": ["--cuda-gpu-arch=sm_70", "-O2"],
    "sm_80-O1": ["--cuda-gpu-arch=sm_80", "-O1"],
    "sm_80-Os-g": ["--cuda-gpu-arch=sm_80", "-Os", "-g"],
    "sm_90-fast": ["--cuda-gpu-arch=sm_90", "-O3", "-ffast-math"],
    "sm_80-O0": ["--cuda-gpu-arch=sm_80", "-O0"],
}
GCC = {
    "O2": ["-O2"],
    "sm_80-O2": ["-O2", "-foffload-options=-misa=sm_80 -mptx=7.0"],
    "sm_80-O3": ["-O3", "-foffload-options=-misa=sm_80 -mptx=7.0 -O3"],
    "sm_70-O1": ["-O1", "-foffload-options=-misa=sm_70 -mptx=7.0"],
}
OPENMP = {"sm_80-O3": ["-O3", "-march=sm_80"], "sm_70-O2": ["-O2", "-march=sm_70"]}


@dataclass
class Job:
    """One file to be made."""

    producer: str
    output: Path
    source: Path
    # Runs the compiler: given where the text shall go.
    command: object


def say(words):
    print(f"corpus: {words}", file=sys.stderr)


def mention(source, key):
    """What a comment `// KEY: words` at the source's head says."""
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            return ""
        name, mark, words = line.removeprefix("//").strip().partition(":")
        if mark and name == key:
            return words.strip()
    return ""


def sources():
    """Sources of CUDA C++, each with whether all options are tried on it."""
    for folder in sorted((ROOT / "ptx-tests").glob("*/src")):
        for source in sorted(folder.glob("*.cu")):
            yield source, folder.parent.name in ("kernelgen", "wild")
    for source in sorted((HERE / "src").glob("*.cu")):
        yield source, True


def installed(name, wheels, folder):
    """Whether wheels lie in a folder; puts them there."""
    stamp = folder / "wheels.txt"
    if stamp.exists() and stamp.read_text() == " ".join(wheels):
        return True
    shutil.rmtree(folder, ignore_errors=True)
    say(f"installing {name}")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", str(folder), *wheels]
    if subprocess.run(pip, capture_output=True).returncode:
        return False
    stamp.write_text(" ".join(wheels))
    return True


def by_command(words, folder=None):
    """A command to which the output's name is given."""

    def run(output):
        return subprocess.run([str(word) for word in words(output)], cwd=folder, capture_output=True, text=True)

    return run


def cuda_jobs(producer, variants, command):
    for source, all_options in sources():
        only = mention(source, "only")
        if only and only != producer.split("-")[0]:
            continue
        for variant, options in variants.items():
            if all_options or variant == next(iter(variants)):
                folder = source.parent.parent.name
                output = CORPUS / producer / f"{folder}-{source.stem}.{variant}.ptx"
                yield Job(producer, output, source, by_command(lambda out, s=source, o=options: command(s, out, o), source.parent))


def project_jobs(producer, variants, command):
    """Kernels of the CUDA Core Compute Libraries, which take seconds each."""
    for source in sorted((ROOT / "benches/project/src").glob("*.cu")):
        for variant, options in variants.items():
            output = CORPUS / producer / f"project-{source.stem}.{variant}.ptx"
            yield Job(producer, output, source, by_command(lambda out, s=source, o=options: command(s, out, o), source.parent))


def nvcc_jobs(producer, nvcc, variants):
    def command(source, output, options):
        return [nvcc, "-ptx", "-w", *options, *mention(source, "nvcc").split(), source.name, "-o", output]

    yield from cuda_jobs(producer, variants, command)
    yield from project_jobs(producer, {name: NVCC[name] for name in ("sm_80", "sm_90") if name in variants}, command)


def nvrtc_jobs(producer, variants):
    site = TOOLS / producer / "nvidia"
    library = next(file for file in sorted(site.glob("cuda_nvrtc/lib/libnvrtc.so.*")))
    include = [f"-I{folder}" for folder in sorted(site.glob("*/include"))]

    def command(source, output, options):
        return [sys.executable, HERE / "nvrtc.py", library, source, output, f"-I{source.parent}", "-default-device", "-w", "--std=c++17", *include, *options]

    yield from cuda_jobs(producer, variants, command)


def clang_jobs():
    home = TOOLCHAIN / "cuda12"

    def command(source, output, options):
        return ["clang++-19", "-x", "cuda", "--cuda-device-only", f"--cuda-path={home}", "-Wno-unknown-cuda-version", "-w", "-S", *options, source.name, "-o", output]

    yield from cuda_jobs("clang-19", CLANG, command)
    yield from project_jobs("clang-19", {"sm_80-O3": CLANG["sm_80-O3"]}, command)


def c_sources():
    """C with directives; the end of the name says of which kind."""
    for folder in (ROOT / "ptx-tests/producers/src", HERE / "src"):
        yield from sorted(folder.glob("*.c"))


def gcc_jobs():
    for source in c_sources():
        flag = "-fopenacc" if source.stem.endswith("_acc") else "-fopenmp"
        for variant, options in GCC.items():
            output = CORPUS / "gcc" / f"{source.stem}.{variant}.ptx"
            yield Job("gcc", output, source, lambda out, s=source, f=flag, o=options: by_gcc(s, out, f, o))


def by_gcc(source, output, flag, options):
    """The linker of the target gets the module of the source and then libraries, divided by NULs."""
    with tempfile.TemporaryDirectory() as work:
        words = ["gcc-12", flag, "-foffload=nvptx-none", "-foffload-options=-save-temps", "-save-temps", *options, "-shared", "-fPIC", source, "-o", "x.so"]
        done = subprocess.run([str(word) for word in words], cwd=work, capture_output=True, text=True)
        modules = [text for file in Path(work).glob("*.mkoffload") for text in file.read_bytes().split(b"\0") if b".version" in text]
        if done.returncode == 0 and modules:
            output.write_bytes(modules[0])
            # Those of the libraries, once.
            for number, module in enumerate(modules[1:]):
                library = output.parent / f"library-{flag.removeprefix('-f')}-{number}.ptx"
                if not library.exists():
                    library.write_bytes(module)
        return done


@functools.cache
def openmp_runtime():
    """Where the device code of clang's OpenMP library is: installed, or unpacked from its package here. None without either."""
    library, folder = "usr/lib/llvm-19/lib", TOOLS / "clang-openmp"
    found = [root / library for root in (Path("/"), folder) if (root / library / "libomptarget-nvptx-sm_80.bc").exists()]
    if found or not shutil.which("clang-19") or not shutil.which("apt-get"):
        return next(iter(found), None)
    say("unpacking libomp-19-dev")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", "libomp-19-dev"], cwd=folder, capture_output=True)
    for package in folder.glob("*.deb"):
        if subprocess.run(["dpkg", "-x", package, folder], capture_output=True).returncode == 0:
            return folder / library
    return None


def openmp_jobs(runtime):
    for source in c_sources():
        if source.stem.endswith("_acc"):
            continue
        for variant, options in OPENMP.items():
            arch = next(option.removeprefix("-march=") for option in options if option.startswith("-march="))
            words = ["clang-19", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-fopenmp-cuda-mode", "--offload-device-only", "-nogpulib", "-w", "-S", "-isystem", str(runtime / "clang/19/include"),
                     "-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(runtime / f"libomptarget-nvptx-{arch}.bc"),
                     *(word for option in options for word in (["-Xopenmp-target", option] if option.startswith("-march") else [option]))]
            output = CORPUS / "clang-openmp" / f"{source.stem}.{variant}.ptx"
            yield Job("clang-openmp", output, source, by_command(lambda out, s=source, w=words: [*w, s, "-o", out]))


def python_jobs(environment):
    """Scripts that write several files into the folder that they are given."""
    python = environment / "bin/python"
    for script in [*sorted((ROOT / "ptx-tests/producers/src").glob("*_kernels.py")), *sorted((HERE / "src").glob("*_kernels.py"))]:
        name = script.stem.split("_")[0]
        stem = f"{script.parent.parent.name}-{script.stem}"
        yield Job(name, CORPUS / name / f"{stem}.done", script, lambda out, s=script, n=name, t=stem: by_script(python, s, out, n, t))


def by_script(python, script, output, name, stem):
    with tempfile.TemporaryDirectory() as work:
        variables = {**os.environ, "TRITON_CACHE_DIR": f"{work}/triton", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([str(python), script.name, work], cwd=script.parent, env=variables, capture_output=True, text=True)
        for file in Path(work).glob("*.ptx"):
            shutil.copy(file, CORPUS / name / f"{stem}-{file.name}")
        if done.returncode == 0:
            output.write_text("")
        return done


def producers():
    """Of all producers: a name, and its jobs or what is missing."""
    nvcc = next(iter(TOOLCHAIN.glob("lib/python3*/site-packages/nvidia/cu13/bin/nvcc")), None)
    yield "nvcc-13.5", lambda: nvcc_jobs("nvcc-13.5", nvcc, NVCC) if nvcc else None
    yield "nvcc-13.0", lambda: nvcc_jobs("nvcc-13.0", TOOLS / "nvcc-13.0/nvidia/cu13/bin/nvcc", OLDER_NVCC) if wheels("nvcc-13.0") else None
    yield "nvrtc-11", lambda: nvrtc_jobs("nvrtc-11", NVRTC_11) if wheels("nvrtc-11") else None
    yield "nvrtc-12", lambda: nvrtc_jobs("nvrtc-12", NVRTC_12) if wheels("nvrtc-12") else None
    yield "clang-19", lambda: clang_jobs() if shutil.which("clang++-19") and (TOOLCHAIN / "cuda12").exists() else None
    yield "gcc", lambda: gcc_jobs() if shutil.which("gcc-12") and list(Path("/usr/lib/gcc").glob("*/12/accel/nvptx-none/mkoffload")) else None
    yield "clang-openmp", lambda: openmp_jobs(openmp_runtime()) if openmp_runtime() else None
    yield "python", lambda: python_jobs(TARGET / "producers") if environment() else None


def wheels(name):
    return installed(name, WHEELS[name], TOOLS / name)


def environment():
    """The virtual environment of ptx-tests/producers/generate.sh."""
    folder = TARGET / "producers"
    stamp = folder / "packages.txt"
    if stamp.exists() and stamp.read_text().strip() == " ".join(PYTHON):
        return True
    say("installing Triton, Halide, Numba, Warp")
    steps = [[sys.executable, "-m", "venv", str(folder)], [str(folder / "bin/pip"), "install", "-q", "--disable-pip-version-check", *PYTHON]]
    if any(subprocess.run(step, capture_output=True).returncode for step in steps):
        return False
    stamp.write_text(" ".join(PYTHON) + "\n")
    return True


def wanted(job, retry):
    """Whether it is neither there nor known to fail."""
    log = job.output.with_suffix(".log")
    for known in [job.output] if retry else [job.output, log]:
        if known.exists() and known.stat().st_mtime > job.source.stat().st_mtime:
            return False
    return True


def run(job):
    """Makes a file, or leaves the compiler's words; whether it is there."""
    job.output.parent.mkdir(parents=True, exist_ok=True)
    part = job.output.with_suffix(".part")
    done = job.command(part)
    log = job.output.with_suffix(".log")
    log.unlink(missing_ok=True)
    if done.returncode == 0 and part.exists():
        part.replace(job.output)
        return True
    part.unlink(missing_ok=True)
    log.write_text(done.stderr + done.stdout)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="producers, with commas between")
    parser.add_argument("--retry", action="store_true", help="tries again what was refused")
    arguments = parser.parse_args()
    only = [name for name in arguments.only.split(",") if name]
    for name, make in producers():
        if only and name not in only:
            continue
        jobs = make()
        if jobs is None:
            say(f"{name} is missing")
            continue
        jobs = list(jobs)
        folders = {job.output.parent for job in jobs}
        jobs = [job for job in jobs if wanted(job, arguments.retry)]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            made = sum(pool.map(run, jobs))
        say(f"{name}: {made} of {len(jobs)} made, {sum(len(list(folder.glob('*.ptx'))) for folder in folders)} files there")


if __name__ == "__main__":
    main()
