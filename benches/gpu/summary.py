#!/usr/bin/env python3
"""The tables of README.md from the figures of one GPU.

  summary.py FOLDER [TABLE...]     FOLDER as run.sh leaves it: micro.json, kernelgen.json, loads.json, clang.json,
                                   occupancy.BYTES.json, blocks.json, default.json, default.clang.json

Tables: micro, loads, clang, occupancy, shuffles, blocks, default; by default all whose files are there. A dash: the text is the original's.
"""
import json
import re
import sys
from math import exp, log
from pathlib import Path

# What one row of the table `micro` has: its name, and labels with the figures of micro.json.
MICRO = [
    ("load of 4 B", [("aligned", "load: 4 B, aligned"), ("+4", "load: 4 B, +4"), ("+16", "load: 4 B, +16"), ("-4", "load: 4 B, -4")]),
    ("the same, `.nc`", [("aligned", "load: nc 4 B, aligned"), ("+4", "load: nc 4 B, +4")]),
    ("load under a predicate", [("all lanes", "load: 4 B, predicated, all lanes"), ("lane 0", "load: 4 B, predicated, lane 0"),
                                ("no lane", "load: 4 B, predicated, no lane")]),
    ("4 B at a stride of", [(f"{n} B", f"load: 4 B, stride {n}") for n in (8, 12, 16, 32)]),
    ("record of 4 B", [("4 x 1 B", "load: record of 4 B, 4 x 1 B"), ("4 B", "load: 4 B, aligned")]),
    ("record of 8 B", [("2 x 4 B", "load: record of 8 B, 2 x 4 B"), ("`v2`", "load: v2, aligned")]),
    ("record of 16 B", [("4 x 4 B", "load: record of 16 B, 4 x 4 B"), ("2 x `v2`", "load: record of 16 B, 2 x v2"),
                        ("`v4`", "load: v4, aligned")]),
    ("record of 32 B", [("8 x 4 B", "load: record of 32 B, 8 x 4 B"), ("2 x `v4`", "load: record of 32 B, 2 x v4")]),
    ("store of 4 B", [("aligned", "store: 4 B, aligned"), ("+4", "store: 4 B, +4")]),
    ("record of 8 B, stored", [("2 x 4 B", "store: record of 8 B, 2 x 4 B"), ("`v2`", "store: v2, aligned")]),
    ("record of 16 B, stored", [("4 x 4 B", "store: record of 16 B, 4 x 4 B"), ("`v4`", "store: v4, aligned")]),
    ("shuffle", [(n, f"shuffle: {n}") for n in ("up", "down", "idx", "bfly")]),
    ("`setp` and vote", [("ballot", "vote: setp, ballot"), ("`activemask`", "vote: setp, activemask")]),
    ("one neighbour, x-4", [("2 loads", "mix: loads of x and x-4"), ("load, shuffle", "mix: load, shuffle"),
                            ("with corner load and select", "mix: load, shuffle, corner, select")]),
    ("two neighbours", [("3 loads", "mix: loads of x-4, x and x+4"), ("load, 2 shuffles", "mix: load, 2 shuffles"),
                        ("with one corner load", "mix: load, 2 shuffles, 1 corner of both ends, selects"),
                        ("with two", "mix: load, 2 shuffles, 2 corners, selects")]),
    ("latency", [("L1", "latency: L1, 4 KB"), ("L2", "latency: L2, 8 MB"), ("DRAM", "latency: DRAM, 512 MB, with TLB misses"),
                 ("shared", "latency: shared"), ("shuffle", "latency: shuffle idx"), ("addition", "latency: add.f32")]),
    ("reading 4 GB, blocks of 128", [("4 B per thread", "DRAM, 4 GB: read 4 B, 1 per thread"),
                                     ("4 x 4 B", "DRAM, 4 GB: read 4 B, 4 per thread"),
                                     ("`v4`", "DRAM, 4 GB: read v4, 1 per thread (records of 16 B)"),
                                     ("record, 4 x 4 B", "DRAM, 4 GB: read records of 16 B, 4 x 4 B")]),
    ("copying 4 GB, blocks of 128", [("4 B per thread", "DRAM, 4 + 4 GB: copy 4 B"), ("`v4`", "DRAM, 4 + 4 GB: copy v4")]),
    ("empty block", [(f"of {n}", f"empty block of {n}, 1024 per SM") for n in (128, 256, 1024)]),
]
# Columns of the memory pass, with the labels of `ptxasw time`. When the H200 was measured `bulk` had two forms.
LEVELS = [("checked", "checked"), ("bulk", "bulk"), ("always", "always")]
TWO_FORMS = [("checked", "checked"), ("bulk", "bulk, many warps"), ("bulk, moved", "bulk, few warps"), ("always", "always")]


def read(path):
    return json.loads(path.read_text())


def table(head, rows, align="---:"):
    print("| " + " | ".join(head) + " |")
    print("| --- |" + f" {align} |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


class Launch:
    """One kernel's figures: of the original, and of each label, also of those that share a row."""

    def __init__(self, launch, device):
        self.name = launch["name"]
        self.blocks = volume(launch["grid"])
        self.threads = volume(launch["block"])
        self.most_warps = device["threads_per_multiprocessor"] // 32
        self.multiprocessors = device["multiprocessors"]
        report = launch["report"]
        self.original = report["original"]
        self.rewritten = {label: one for one in report["rewritten"] for label in one["label"].split(" = ")}

    def speedup(self, label):
        one = self.rewritten.get(label)
        return one and one["timing"]["speedup"]["median"]

    def cell(self, label):
        value = self.speedup(label)
        return f"{value:.2f}" if value else "–"

    def by_hand(self):
        found = [label for label in self.rewritten if "/restrict/" in label]
        return self.cell(found[0]) if found else ""

    def widest(self):
        """What the highest level makes of the kernel, or the original."""
        found = [self.rewritten[label] for _, label in levels([self]) if label in self.rewritten]
        return found[-1] if found else self.original

    def change(self, what):
        """A resource before and after the highest level; one number where it stays."""
        before, after = what(self.original["resources"]), what(self.widest()["resources"])
        return f"{before}" if before == after else f"{before} → {after}"

    def warps(self, resources):
        return round(resources["occupancy"] * self.most_warps)

    def launched(self):
        """The warps of the whole grid on a multiprocessor, where these are fewer than fit."""
        warps = -(-self.blocks // self.multiprocessors) * -(-self.threads // 32)
        return f"{warps}" if warps < self.warps(self.original["resources"]) else ""

    def empty_blocks(self, micro):
        """The share of the original's time that as many empty blocks take."""
        size = 1024 if self.threads > 512 else 256 if self.threads > 128 else 128
        each = micro[f"empty block of {size}, 1024 per SM"]["value"]
        return f"{self.blocks * each / self.multiprocessors / 1000 / self.original['timing']['median']:.0%}"


def levels(launches):
    return TWO_FORMS if any(label in one.rewritten for one in launches for label in ("bulk, many warps", "bulk, few warps")) else LEVELS


def volume(sizes):
    return sizes[0] * sizes[1] * sizes[2]


def launches(path):
    figures = read(path)
    return [Launch(one, figures["device"]) for one in figures["launches"]]


def figures_of_micro(folder):
    return {one["name"]: one for one in read(folder / "micro.json")["figures"]}


def micro(folder):
    figures = figures_of_micro(folder)
    rows = []
    for name, parts in MICRO:
        found = [(label, figures[key]) for label, key in parts if key in figures]
        values = ", ".join(f"{label} **{number(one['value'])}**" for label, one in found)
        if found:
            rows.append((name, values, found[0][1]["unit"].replace("cycles/SM", "cycles").replace("SM", "multiprocessor")))
    table(("what", "figures", "unit"), rows, "---")
    flights = {}
    for name, one in figures.items():
        if found := re.match(r"in flight: (\d+) warps/SM, (\d+) loads, 32 KB", name):
            flights.setdefault(int(found[1]), {})[int(found[2])] = one["value"]
    counts = sorted(next(iter(flights.values()), {}))
    head = [f"{n} load{'s' * (n > 1)} in flight" for n in counts]
    table(["GB/s, 4 B per lane"] + head, [[f"{warps} warps"] + [f"{row[n]:.0f}" for n in counts] for warps, row in sorted(flights.items())])


def number(value):
    return f"{value:.2f}" if value < 20 else f"{value:.0f}"


def loads(folder, name="loads", by_hand=True):
    figures, counts = figures_of_micro(folder), lambda one: one["registers"]
    kernels = launches(folder / f"{name}.json")
    columns = levels(kernels)
    head = ["kernel"] + [title for title, _ in columns] + ["`restrict`"] * by_hand + ["registers", "warps", "launched", "empty blocks"]
    rows = [
        [one.name] + [one.cell(label) for _, label in columns] + [one.by_hand()] * by_hand
        + [one.change(counts), one.change(one.warps), one.launched(), one.empty_blocks(figures)]
        for one in kernels
    ]
    table(head, rows)


def clang(folder):
    loads(folder, "clang", False)


def occupancy(folder):
    rooms = sorted((int(path.name.split(".")[1]), path) for path in folder.glob("occupancy.*.json"))
    found = {}
    for room, path in [(0, folder / "loads.json")] + rooms:
        for one in launches(path):
            found.setdefault(one.name, []).append((room, one))
    columns, rows = levels([one for group in found.values() for _, one in group]), []
    for name, group in found.items():
        if len(group) <= len(rooms) or not group[0][1].rewritten or group[0][1].widest() is group[0][1].original:
            continue
        for room, one in group:
            cells = [one.cell(label) for _, label in columns]
            times = f"{one.original['timing']['median']:.0f} → {one.widest()['timing']['median']:.0f}"
            rows.append([name, f"{room}", one.change(one.warps)] + cells + [times])
    table(["kernel", "bytes of a block", "warps"] + [title for title, _ in columns] + ["µs, always"], rows)


def blocks(folder):
    shuffles(folder, "blocks")


def shuffles(folder, name="kernelgen"):
    figures = figures_of_micro(folder) if name == "kernelgen" else None
    variants, assumed = ("no-load", "no-corner"), ", nowrap"
    columns = [("auto", "auto"), ("paper", "paper"), ("`halo`, nowrap", "halo, nowrap"), ("`F`, nowrap", "F, nowrap"),
               ("no corner", "no-corner"), ("no load", "no-load")]
    rows, means, alone = [], {}, []
    for one in launches(folder / f"{name}.json"):
        sound = {label: one.speedup(label) for label in one.rewritten if label not in variants + ("auto",) and not label.endswith(assumed)}
        if not sound:
            alone.append(one.name)
            continue
        best = max(sound, key=sound.get)
        for label in ["best"] + [label for _, label in columns]:
            means.setdefault(label, []).append(sound[best] if label == "best" else one.speedup(label))
        empty = [one.empty_blocks(figures)] if figures else []
        rows.append([one.name, f"{sound[best]:.2f} `{best}`"] + [one.cell(label) for _, label in columns] + empty)
    mean = {label: f"{exp(sum(map(log, values)) / len(values)):.2f}" for label, values in means.items()}
    rows.append(["geometric mean", mean["best"]] + [mean[label] for _, label in columns] + [""] * bool(figures))
    table(["operator", "best"] + [title for title, _ in columns] + ["empty blocks"] * bool(figures), rows)
    if alone:
        print(f"Without a shuffle: {', '.join(alone)}.\n")


def default(folder):
    compilers = [{one.name: one for one in launches(folder / f"{name}.json")} for name in ("default", "default.clang")]
    rows, found = [], []
    for name in dict.fromkeys(name for group in compilers for name in group):
        cells = []
        for one in (group.get(name) for group in compilers):
            if one is None:
                cells += ["–", ""]
                continue
            (changed,) = one.rewritten.values()
            found.append(changed["timing"]["speedup"]["median"])
            before, after = (round(side["resources"]["occupancy"] * one.most_warps) for side in (one.original, changed))
            cells += [f"{found[-1]:.2f}", f"{before}" if before == after else f"{before} → {after}"]
        rows.append([name] + cells)
    rows.sort()
    table(["kernel", "GCC, nvcc", "warps", "clang", "warps"], rows)
    print(f"{len(found)} modules: geometric mean {exp(sum(map(log, found)) / len(found)):.2f}, least {min(found):.2f}, "
          f"above 1.02: {sum(one > 1.02 for one in found)}, below 0.99: {sum(one < 0.99 for one in found)}.\n")


TABLES = {"micro": micro, "loads": loads, "clang": clang, "occupancy": occupancy, "shuffles": shuffles, "blocks": blocks,
          "default": default}
FILES = {"shuffles": "kernelgen.json", "occupancy": "loads.json"}


def main():
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir() or set(sys.argv[2:]) - set(TABLES):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    for name in sys.argv[2:] or TABLES:
        if sys.argv[2:] or (folder / FILES.get(name, f"{name}.json")).exists():
            TABLES[name](folder)


main()
