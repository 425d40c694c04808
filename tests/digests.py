#!/usr/bin/env python3
"""Digests of all outputs, taken before a change that must keep them, and after it.

usage: digests.py take FILE [--only WORD] [--jobs N]
       digests.py compare BEFORE AFTER

FILE gets a line for each module and each way to call the program: what was called, and three digests: of the bytes that were
rewritten, of the reports that programs read, and of the texts that people read. `compare` names the lines that differ and adds
up the differences of each column; its exit code is 1 if there are any.

What is called: `opt` on every file of `ptx-tests` and `llvm-tests`, by default, with everything that is sound
(`--profit always --loads always`), and with each pass alone; `explain` in all its forms, by default and with everything;
the drop-in assembler before the real one; `report --json` and `ptxasw clang` on the kernels of `kernelgen`.

PTXASW   the program (default target/debug/ptxasw); that of the LLVM IR front end lies beside it
PTXASW_TOOLCHAIN  where the real assemblers are (default target/toolchain)
CLANG    the compiler (default clang++-19)
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("PTXASW", ROOT / "target/debug/ptxasw")).resolve()
TOOLCHAIN = Path(os.environ.get("PTXASW_TOOLCHAIN", ROOT / "target/toolchain"))
PASSES = ["memory", "scalar", "division", "saturate", "shuffle"]
EVERYTHING = ["--profit", "always", "--loads", "always"]
# Whether an assembler is at hand must not decide what `opt` writes; the drop-in asks it.
PLAIN = ["--no-register-check", "--config", "none"]
# What clang needs to compile a kernel without a CUDA toolkit.
DEVICE = ["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-include", "ptx-tests/clang_cuda.h", "--cuda-gpu-arch=sm_80",
          "-Xclang", "-target-feature", "-Xclang", "+ptx85", "-O3", "-S"]
COLUMNS = ["bytes", "reports", "texts"]


def real_ptxas(target):
    """CUDA 13 knows no target below sm_75."""
    folder = "cu13" if int(re.sub(r"\D", "", target)) >= 75 else "cuda_nvcc"
    found = sorted(TOOLCHAIN.glob(f"lib/python3*/site-packages/nvidia/{folder}/bin/ptxas"))
    return found[0] if found else "ptxas"


def environment(folder, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PTXASW_")}
    return kept | {"PTXASW_NO_CACHE": "1", "PTXASW_TOOLCHAIN": str(TOOLCHAIN), "TMPDIR": folder, "NO_COLOR": "1"} | more


def call(words, folder, **more):
    """Standard output, and standard error with the exit code; names of temporary files and times are the same on every run."""
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, env=environment(folder, **more))
    return steady(done.stdout, folder), steady(done.stderr, folder) + f"exit {done.returncode}\n".encode()


def steady(text, folder):
    text = text.replace(folder.encode(), b"FOLDER")
    text = re.sub(rb'("[a-z_]*(?:milliseconds|seconds|micros)[a-z_]*": ?)[0-9.e+-]+', rb"\1TIME", text)
    return re.sub(rb"milliseconds +[0-9.]+", b"milliseconds", text)


def read(path, folder):
    return steady(path.read_bytes(), folder) if path.is_file() else b"none"


def optimized(module, options, folder):
    out = Path(folder, "out" + Path(module).suffix)
    plan = Path(folder, "plan.json")
    words = [PROGRAM, "opt", *PLAIN, *options, "--stats", "-v", "--plan", plan, module, "-o", out]
    printed, text = call(words, folder)
    return read(out, folder), read(plan, folder), printed + text


def explained(module, options, folder):
    forms = [[], ["--full"], ["--json"], ["--sarif"]]
    short, full, json, sarif = (call([PROGRAM, "explain", *PLAIN, *options, *form, module], folder) for form in forms)
    return b"", json[0] + sarif[0], b"".join(short + full) + json[1] + sarif[1]


def assembled(module, options, folder):
    """Remarks as JSON are for programs, what `--ptxasw-verbose` prints is for people."""
    Path(folder, "bin").mkdir()
    Path(folder, "bin/ptxas").symlink_to(PROGRAM)
    found = re.search(r"^\.target\s+(sm_\d+[af]?)", Path(ROOT, module).read_text(errors="replace"), re.M)
    target = found.group(1) if found else "sm_80"
    out, remarks, stats = Path(folder, "out.cubin"), Path(folder, "remarks.json"), Path(folder, "stats")
    words = [Path(folder, "bin/ptxas"), f"-arch={target}", module, "-o", out, "--ptxasw-verbose",
             f"--ptxasw-remarks={remarks}", "--ptxasw-no-cache", *options]
    printed, text = call(words, folder, PTXASW_PTXAS=str(real_ptxas(target)), PTXASW_STATS_DIR=str(stats))
    figures = b"".join(read(path, folder) for path in sorted(stats.glob("**/*")) if path.is_file())
    return read(out, folder), read(remarks, folder) + figures, printed + text


def reported(module, options, folder):
    page, text = call([PROGRAM, "report", *PLAIN, *options, "--json", "--arch", "sm_90", module], folder)
    return b"", page, text


def compiled(source, options, folder):
    out = Path(folder, "out.s")
    words = [PROGRAM, "clang", "--", os.environ.get("CLANG", "clang++-19"), *options, "--ptxasw-verbose", *DEVICE, source, "-o", out]
    printed, text = call(words, folder)
    return read(out, folder), b"", printed + text


def tasks():
    """All calls: what is called, the function that calls it, the file, the options."""
    modules = sorted([*ROOT.glob("ptx-tests/**/*.ptx"), *ROOT.glob("llvm-tests/**/*.ll")])
    for path in modules:
        module = path.relative_to(ROOT).as_posix()
        for name, options in [("default", []), ("everything", EVERYTHING), *((one, [*EVERYTHING, "--passes", one]) for one in PASSES)]:
            yield f"opt {name}", optimized, module, options
        for name, options in [("default", []), ("everything", EVERYTHING)]:
            yield f"explain {name}", explained, module, options
        if path.suffix == ".ptx":
            yield "drop-in default", assembled, module, []
            yield "drop-in everything", assembled, module, ["--ptxasw-profit=always", "--ptxasw-loads=always"]
            if path.parent.name == "kernelgen":
                yield "report", reported, module, []
    for path in sorted(ROOT.glob("ptx-tests/kernelgen/src/*.cu")):
        source = path.relative_to(ROOT).as_posix()
        yield "clang default", compiled, source, []
        yield "clang everything", compiled, source, ["--ptxasw-profit=always", "--ptxasw-loads=always"]


def line(task):
    name, function, file, options = task
    with tempfile.TemporaryDirectory() as folder:
        columns = function(file, options, folder)
    return "\t".join([name, file, *(hashlib.sha256(column).hexdigest()[:16] for column in columns)])


def take(file, only, jobs):
    chosen = [task for task in tasks() if only in f"{task[0]}\t{task[2]}"]
    with ThreadPoolExecutor(jobs) as pool:
        Path(file).write_text("".join(f"{one}\n" for one in pool.map(line, chosen)))
    print(f"{len(chosen)} calls")


def table(file):
    rows = (row.split("\t") for row in Path(file).read_text().splitlines())
    return {(row[0], row[1]): row[2:] for row in rows}


def compare(before, after):
    before, after = table(before), table(after)
    counts = dict.fromkeys(COLUMNS, 0)
    for key in sorted(before.keys() | after.keys()):
        pairs = zip(COLUMNS, before.get(key, [""] * 3), after.get(key, [""] * 3))
        differ = [column for column, old, new in pairs if old != new]
        for column in differ:
            counts[column] += 1
        if differ:
            print(f"{key[0]}\t{key[1]}\t{' '.join(differ)}")
    print(f"{len(after)} calls; " + ", ".join(f"{column}: {count} differ" for column, count in counts.items()))
    return 1 if any(counts.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    taken = commands.add_parser("take")
    taken.add_argument("file")
    taken.add_argument("--only", default="")
    taken.add_argument("--jobs", type=int, default=os.cpu_count())
    compared = commands.add_parser("compare")
    compared.add_argument("before")
    compared.add_argument("after")
    given = parser.parse_args()
    if given.command == "take":
        take(given.file, given.only, given.jobs)
    else:
        sys.exit(compare(given.before, given.after))


if __name__ == "__main__":
    main()
