#!/usr/bin/env python3
"""Share of kernels about which `ptxasw verify` has a verdict with launches of its own, and why it has none of others.

    benches/corpus/verdicts.py [--program PTXASW] [--sample N] [-j N] FOLDER|FILE...

Each kernel is compared with itself; of kernels with the same body one is taken. Without --sample all are.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import time

ENTRY = re.compile(r"^\s*(?:\.visible\s+|\.weak\s+)*\.entry\s+([\w$]+)", re.M)


def kernels(text):
    """Names and bodies."""
    for entry in ENTRY.finditer(text):
        begin = text.find("{", entry.end())
        depth = 0
        for end in range(begin, len(text) if begin >= 0 else begin):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                yield entry.group(1), text[entry.end() : end]
                break


def distinct(paths):
    """Files and names of kernels, each body once."""
    seen = set()
    for path in paths:
        text = path.read_text(errors="replace")
        for name, body in kernels(text):
            body = re.sub(r"//.*$|\.loc[^\n]*", "", body.replace(name, "K"), flags=re.M)
            key = hashlib.sha1(" ".join(body.split()).encode()).digest()
            if key not in seen:
                seen.add(key)
                yield path, name


def judge(program, path, name):
    """Exit code, seconds, why there is no verdict, and whether launches reached all blocks and all trip counts."""
    start = time.time()
    command = [program, "verify", path, path, "--json", "-q", "-j1", "--kernel", name]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return -1, time.time() - start, "more than ten minutes", {}
    seconds = time.time() - start
    try:
        report = json.loads(ran.stdout)["kernels"][0]
    except (json.JSONDecodeError, LookupError):
        return ran.returncode, seconds, ran.stderr.splitlines()[:1], {}
    reasons = collections.Counter()
    for launch in report["launches"]:
        for skipped in launch["skipped"][:1]:
            message = re.sub(r"0x[0-9a-f]+|-?\d+", "N", skipped["error"]["message"])
            reasons[message.split(";")[0]] += 1
    most = [reason for reason, _ in reasons.most_common(1)]
    most = most or [report.get("reason", {}).get("kind", "?")]
    return ran.returncode, seconds, most, report.get("reach", {})


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", default="target/release/ptxasw")
    options.add_argument("--sample", type=int)
    options.add_argument("-j", type=int, default=2)
    options.add_argument("paths", nargs="+", type=pathlib.Path)
    options = options.parse_args()
    files = [f for p in options.paths for f in (sorted(p.rglob("*.ptx")) if p.is_dir() else [p])]
    chosen = list(distinct(files))
    if options.sample:
        random.Random(7).shuffle(chosen)
        del chosen[options.sample :]
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        found = list(pool.map(lambda one: judge(options.program, *one), chosen))
    known = sum(code == 0 for code, *_ in found)
    seconds = sum(seconds for _, seconds, *_ in found)
    print(f"{known} of {len(found)} kernels ({100 * known / max(len(found), 1):.1f} %), {seconds:.0f} s")
    reached = [reach for code, *_, reach in found if code == 0 and reach]
    for what in "unreached", "loops":
        print(f"  of these {sum(not reach[what] for reach in reached)} without {what}")
    for (path, name), (code, _, reason, _) in zip(chosen, found):
        if code != 0:
            print(f"  {code} {path} {name}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
