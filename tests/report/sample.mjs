// Makes a report of invented figures on real PTX, so that the page can be worked on and tested without the program.
// `node sample.mjs OUT.html` writes it; the page is assembled as the program does it.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
const PAGE = join(ROOT, "src/tools/page/html");
const STYLES = ["style.css", "code.css", "charts.css"];
const SCRIPTS = "dom payload words theme head table lines columns lanes clock strip reasons kernel main".split(" ").map((name) => `${name}.js`);

/// A name that would do harm if it were read as markup.
export const HOSTILE = "<img src=x id=injected onerror=alert(1)>";
const HOSTILE_SCRIPT = `</script><script id=injected>alert(2)</script>"'&amp;`;

export function assemble(report) {
  const read = (name) => readFileSync(join(PAGE, name), "utf8");
  const packed = (key, value) => (key === "code" && Array.isArray(value) ? { text: value.map(({ text }) => text).join("\n"), lines: value.map(({ line }) => line) } : value);
  const payload = gzipSync(JSON.stringify(report, packed)).toString("base64");
  return read("page.html")
    .replace("/*STYLE*/", () => STYLES.map(read).join("\n"))
    .replace("/*SCRIPT*/", () => SCRIPTS.map(read).join("\n"))
    .replace("@PAYLOAD@", () => payload);
}

export function sampleReport() {
  const modules = [stencilModule("jacobi"), stencilModule("gradient"), longModule(), hostileModule(), bareModule()];
  const kernels = modules.flatMap((module) => module.kernels);
  const count = (word) => kernels.filter((kernel) => kernel.verdict === word).length;
  const verdict = { kernels: kernels.length, faster: count("faster"), changed: count("changed"), unchanged: count("unchanged"), declined: count("declined"), line: "" };
  verdict.line = `${verdict.kernels} kernels: ${verdict.faster} faster, ${verdict.changed} changed, ${verdict.unchanged} unchanged, ${verdict.declined} declined`;
  return {
    format: 3, arch: "sm_90",
    version: "0.9.0",
    command: "ptxasw report --arch sm_80,sm_90,sm_100 --shuffle --launch grid=2,7,block=128 jacobi.sm_80.ptx gradient.sm_80.ptx long.ptx hostile.ptx -o report.html",
    verdict,
    assumed: ["Pointers that are `.restrict` parameters do not overlap.", "Block sizes are those of `.maxntid`: 128 × 1 × 1."],
    modules,
    build: { folder: "/tmp/build/ptxasw-stats", modules: 214, figures: [["Kernels", "1,903"], ["Rewritten", "211 (11 %)"], ["Time in ptxasw", "38.2 s of 11 min 4 s"], ["Cache hits", "94 %"], ["Solver time", "21.7 s"]].map(([name, value]) => ({ name, value })) },
  };
}

// --- PTX and its rewriting ----------------------------------------------------

function isAccess(line) {
  return /^\s*(@!?%\w+\s+)?(ld\.(?!param)|st\.(?!param)|atom|red\.|shfl|bar\.|ld\.shared)/.test(line);
}

function accessesOf(lines, first, last) {
  const found = [];
  let depth = 0;
  for (let line = first; line <= last; line += 1) {
    const text = lines[line - 1];
    if (/^\$L_loop/.test(text)) depth += 1;
    if (/bra.*\$L_loop/.test(text)) depth -= 1;
    if (!isAccess(text)) continue;
    const [, guard, code] = /^\s*(@!?%\w+\s+)?(\S+)/.exec(text);
    const kind = /^ld/.test(code) ? "load" : /^st/.test(code) ? "store" : /^shfl/.test(code) ? "shuffle" : /^bar/.test(code) ? "barrier" : "atomic";
    const space = ["shuffle", "barrier"].includes(kind) ? "" : (/\.(global|shared|local|const)/.exec(code)?.[1] ?? "generic");
    const size = Number(/\d+$/.exec(code)?.[0] ?? 32) / 8;
    found.push({ line, kind, space, bytes: space ? size * (/\.v4/.test(code) ? 4 : /\.v2/.test(code) ? 2 : 1) : 0, guarded: Boolean(guard), depth });
  }
  return found;
}

/// What became of the one store of a kernel.
const STORES = { all: 1, removed: 0, shuffled: 0, widened: 0, moved: 0, other: 0, declined: 0, kept: 1 };

/// Some loads become shuffles, some are moved up, one goes: `plan` names loads by their number.
function rewrite(lines, [first, last], plan) {
  const loads = accessesOf(lines, first, last).filter((access) => access.kind === "load" && access.space === "global");
  const out = [];
  const put = (text, from) => out.push([text, from]);
  const at = new Map(plan.map((step) => [loads[step.load]?.line, step]));
  const moved = plan.filter((step) => step.what === "moved").map((step) => loads[step.load].line);
  for (let line = 1; line <= lines.length; line += 1) {
    const text = lines[line - 1];
    const step = at.get(line);
    if (line === loads[0].line) {
      put("\tactivemask.b32 \t%mask;", 0);
      put("\tmin.u32 \t%clamp, %row_end, 31;", 0);
    }
    if (!step) put(text, line);
    else if (step.what === "removed") put(text.replace(/ld\S+/, "mov.f32").replace(/\[.*\]/, "%f4"), line);
    else if (step.what === "shuffled") {
      const register = /%\w+/.exec(text)[0];
      const direction = step.by > 0 ? "down" : "up";
      put(`\tshfl.sync.${direction}.b32 \t${register}|%ok, %f4, ${Math.abs(step.by)}, %clamp, %mask;`, line);
      put(text.replace(/\t(ld)/, "\t@!%ok $1"), line);
    }
    if (line === loads[0].line) for (const from of moved) put(lines[from - 1], from);
  }
  const where = (line) => out.findIndex(([, from]) => from === line) + 1;
  return { output: out.map(([text]) => text).join("\n"), output_lines: out.map(([, from]) => from), range: [where(first), where(last)], loads };
}

function kernelRange(lines, name) {
  const first = lines.findIndex((line) => new RegExp(`\\.entry\\s+${name}\\b`).test(line)) + 1;
  return [first, lines.findIndex((line, index) => index >= first && /^\}/.test(line)) + 1];
}

// --- figures -------------------------------------------------------------------

function codeOf(lines, [first, last], rename) {
  const code = [];
  for (let line = first; line <= last; line += 1) {
    const text = lines[line - 1].trim();
    if (!/^(@!?%\w+ +)?[a-z]/.test(text) || text.startsWith("ld.param")) continue;
    const machine = text.replace(/^(@!?%\w+ +)?(\S+)\s*/, (_, guard, opcode) => `${guard ? guard.replace(/%p?/, "P") : ""}${rename(opcode)} `).replace(/%f|%rd|%r/g, "R");
    code.push({ at: code.length * 16, text: machine.replace(/\s+/g, " "), line });
    if (code.length % 9 === 0) code.push({ at: code.length * 16, text: "NOP", line: 0 });
  }
  return code;
}

const opcode = (name) => name.replace(/^ld\.global\S*/, "LDG.E.CONSTANT").replace(/^st\.global\S*/, "STG.E").replace(/^shfl.*/, "SHFL.DOWN").replace(/^fma.*/, "FFMA").replace(/^mad.*/, "IMAD").toUpperCase().slice(0, 18);

const STAIRS = [[32, 64], [40, 48], [48, 40], [56, 36], [64, 32], [72, 28], [80, 24], [96, 20], [128, 16], [168, 12], [255, 8]];

function version(registers, cycles, waits, pipes, code, more) {
  const warps = STAIRS.find(([last]) => registers <= last)[1];
  const shares = (list) => Object.entries(list).map(([name, share]) => ({ name, share }));
  return { registers, warps, instructions: code.length || 64, memory: 10, local: 0, rounds: 3, cycles, time: cycles === null ? null : cycles / 41.3, bound: "load/store unit", waits: shares(waits), pipes: shares(pipes), code, ...more };
}

function target(arch, kind, before, after) {
  const ratio = { faster: [1.12, 1.04, 1.19], neutral: [1.01, 0.97, 1.06], slower: [0.94, 0.91, 0.98] }[kind] ?? null;
  const unknown = kind === "unknown" ? `no assembler for ${arch} is at hand: set PTXASW_TOOLCHAIN` : null;
  return { arch, before, after, ratio, verdict: kind === "faster" || kind === "same" ? { faster: "faster", same: "unchanged" }[kind] : "changed", launch: unknown ? null : "grid 2×7, block 128×1×1, 150 × 7 floats", made_up: arch === "sm_100", unknown, staircase: unknown ? [] : STAIRS };
}

function targetsOf(input, range, rewritten) {
  const before = codeOf(input, range, opcode);
  const after = rewritten ? codeOf(rewritten.output.split("\n"), rewritten.range, opcode) : null;
  const pair = (first, second, cycles) => [
    version(first, cycles, { "global memory": 0.52, "load/store unit": 0.21, dependences: 0.15, issue: 0.09, barrier: 0.03 }, { "load/store unit": 1, "L1 data": 0.74, integer: 0.41, float: 0.22, branch: 0.04 }, before),
    after && version(second, cycles * 0.88, { "global memory": 0.34, "load/store unit": 0.25, dependences: 0.22, issue: 0.13, shuffle: 0.06 }, { "load/store unit": 0.71, "L1 data": 0.52, integer: 0.63, float: 0.25, branch: 0.06 }, after, { bound: "integer", memory: 6, rounds: 1 }),
  ];
  if (!after) return [target("sm_80", "same", pair(28, 0, 4200)[0], null), target("sm_90", "same", pair(26, 0, 3900)[0], null)];
  return [target("sm_80", "neutral", ...pair(26, 34, 4213.5)), target("sm_90", "faster", ...pair(30, 30, 3902)), target("sm_100", "slower", ...pair(38, 66, 3700)), target("sm_120", "unknown", null, null)];
}

// --- modules --------------------------------------------------------------------

function emptyKernel(name, range) {
  return {
    name, title: name, entry: true, position: null, verdict: "unchanged", summary: "Nothing to share: no load reads what another lane or an earlier load has.", more: [], reverted: null, input: range, output: range,
    loads: { all: 0, removed: 0, shuffled: 0, widened: 0, moved: 0, other: 0, declined: 0, kept: 0 }, stores: STORES, targets: [], before: [], after: [], links: [], groups: [], remarks: [], why_not: [],
    evidence: { claims: [], questions: [], compared: null },
  };
}

function positionsOf(lines, [first, last], from, to) {
  const steps = [];
  for (let line = first + 14; line < last; line += 3) steps.push({ line, source: 0, source_line: from + Math.floor(((line - first) / (last - first)) * (to - from)) });
  return steps;
}

function stencilModule(name) {
  const path = `ptx-tests/kernelgen/${name}.sm_80.ptx`;
  const input = readFileSync(join(ROOT, path), "utf8");
  const lines = input.split("\n");
  const range = kernelRange(lines, name);
  const text = readFileSync(join(ROOT, `ptx-tests/kernelgen/src/${name}.cu`), "utf8");
  const start = text.split("\n").findIndex((line) => line.includes(`${name}(`)) + 1;
  const plan = [{ load: 2, what: "shuffled", by: -1 }, { load: 3, what: "shuffled", by: 1 }, { load: 4, what: "moved" }];
  if (name === "gradient") plan.push({ load: 5, what: "removed" });
  const made = rewrite(lines, range, plan);
  const kernel = stencilKernel(name, lines, range, made, plan);
  kernel.position = { line: range[0], source: 0, source_line: start };
  return { path, compiler: "NVIDIA NVVM Compiler, release 13.5", target: "sm_80", input, output: made.output, output_lines: made.output_lines, sources: [{ name: `/work/src/${name}.cu`, text }, { name: "/work/src/grid.h", text: null }], positions: positionsOf(lines, range, start + 2, start + 10), kernels: [kernel] };
}

function stencilKernel(name, lines, range, made, plan) {
  const kernel = emptyKernel(name, range);
  const line = (number) => made.loads[number % made.loads.length].line;
  const row = (number, takes) => ({ line: line(number), text: lines[line(number) - 1], takes });
  Object.assign(kernel, {
    title: `${name}(float const*, float*, float, float, float, int, int)`,
    verdict: "changed", more: [{ what: "all shuffles that are proved (`--profit always`)", arch: "sm_90", ratio: [1.08, 1.02, 1.11] }],
    summary: "2 of 9 loads take their value from the lane beside them, and 1 moved up. On sm_90 the kernel is 12 % faster (measured).",
    output: made.range,
    loads: { all: made.loads.length, removed: plan.filter((step) => step.what === "removed").length, shuffled: 2, widened: 0, moved: 1, other: 0, declined: 2, kept: made.loads.length - 5 }, stores: STORES,
    targets: targetsOf(lines, range, made),
    before: accessesOf(lines, ...range),
    after: accessesOf(made.output.split("\n"), ...made.range),
    links: plan.map((step) => ({ destination: line(step.load), source: line(step.what === "shuffled" ? 0 : 1), lanes: step.by ? `i${step.by > 0 ? "+" : "-"}1` : null, what: step.what })),
    groups: [stencilGroup("F31", row), xorGroup(row)],
    remarks: remarksOf(line),
    why_not: whyNot(line),
    evidence: evidenceOf(line),
  });
  return kernel;
}

/// Lanes of a full warp, of a warp that ends inside, and of one whose first lanes are outside of the grid.
function framesOf(takes) {
  const shapes = [["block 128×1, warp 0, all lanes", 0, 32], ["block 128×1, last warp, 22 lanes", 0, 22], ["block 128×1, first warp, lane 0 outside", 1, 32]];
  return shapes.map(([name, first, last]) => ({ name, cells: takes.map((each) => cellsOf(each, first, last)) }));
}

function cellsOf(takes, first, last) {
  return Array.from({ length: 32 }, (_, lane) => {
    if (lane < first || lane >= last) return ".";
    if (!takes) return "L";
    const from = takes.map === "shift" ? lane + takes.by : takes.map === "xor" ? lane ^ takes.by : takes.by;
    return from >= first && from < last ? "S" : "C";
  }).join("");
}

function stencilGroup(scheme, row) {
  const rows = [row(0, null), row(2, { row: 0, map: "shift", by: -1 }), row(3, { row: 0, map: "shift", by: 1 })];
  return { scheme, about: "A full warp whose rows are proved to be whole warps: the clamp needs no test of rows.", line: rows[0].line, checks: ["all 32 lanes are here", "the row length is a multiple of 32"], done: true, rows, frames: framesOf(rows.map((each) => each.takes)) };
}

function xorGroup(row) {
  const rows = [row(1, null), row(4, { row: 0, map: "xor", by: 3 }), row(5, { row: 0, map: "lane", by: 7 })];
  return { scheme: "full", about: "The whole warp is proved to be here.", line: rows[0].line, checks: [], done: false, rows, frames: framesOf(rows.map((each) => each.takes)) };
}

function remarksOf(line) {
  const remark = (number, other, pass, name, done, message, lift) => ({ line: number, other, pass, name, done, message, lift });
  return [
    remark(line(2), line(0), "shuffle", "shuffled", true, "Takes the value of lane i-1 of the load of w0[i].", null),
    remark(line(3), line(0), "shuffle", "shuffled", true, "Takes the value of lane i+1 of the load of w0[i].", null),
    remark(line(4), null, "loads", "moved-up", true, "Moved up over 8 statements, so that it waits together with the loads before it.", null),
    remark(line(5), line(1), "shuffle", "C1", false, "Cannot prove that the 32-bit index `i` does not overflow, and no register holds it where it could be checked.", "Declare `i` as `long`, or as `unsigned` with a bound."),
    remark(0, null, "loads", "no-stores", false, `The kernel has a name with markup: ${HOSTILE}`, null),
  ];
}

function whyNot(line) {
  return [
    { code: "P2", text: "A shuffle of one distance alone is not known to pay on sm_80.", declined: true, lines: [line(5), line(6)], lift: "--shuffle=all", worth: "0.99 to 1.03 (estimated)" },
    { code: "C1", text: "Cannot prove that the 32-bit index `i` does not overflow.", declined: false, lines: Array.from({ length: 30 }, (_, index) => line(0) + index), lift: "Declare `i` as `long`.", worth: null },
    { code: "", text: "The loop around it stores to memory that may overlap.", declined: false, lines: [line(1)], lift: null, worth: null },
  ];
}

function evidenceOf(line) {
  return {
    claims: [
      { pass: "shuffle", what: "The source's address in lane i+N is the destination's address in lane i.", how: "algebra on affine forms", lines: [line(2), line(3)] },
      { pass: "loads", what: "No store between the old place and the new one may write the bytes.", how: "Z3, and Bitwuzla again", lines: [line(4)] },
    ],
    questions: [{ name: "algebra", count: 41 }, { name: "solver", count: 3 }, { name: "cache", count: 12 }],
    compared: "5 launches, bit for bit the same",
  };
}

/// 5,000 lines: stores and loads in turn, then loads in bulk, with a loop and atomics.
function longModule() {
  const lines = [".version 8.5", ".target sm_80", ".address_size 64", "", ".visible .entry chemistry(", "\t.param .u64 p0", ")", "{"];
  for (let index = 0; lines.length < 4990; index += 1) {
    if (index === 60) lines.push("$L_loop:");
    if (index === 110) lines.push("\t@%p1 bra \t$L_loop;");
    if (index === 115) lines.push("\tbar.sync \t0;");
    const wide = index % 40 === 7 ? "v4.f32" : index % 40 === 8 ? "f64" : "f32";
    lines.push(`\tadd.s64 \t%rd${index}, %rd1, ${index * 4};`);
    if (index % 3 === 0) lines.push(`\t${index % 27 === 0 ? "@%p2 " : ""}ld.global.${wide} \t%f${index}, [%rd${index}];`);
    if (index % 3 === 1) lines.push(`\t${index % 26 === 4 ? "ld.shared.f32 \t%f1, [%r1]" : `st.global.f32 \t[%rd${index}], %f${index - 1}`};`);
    if (index % 200 === 150) lines.push(`\tatom.global.add.u32 \t%r5, [%rd${index}], 1;`);
    for (let step = 0; step < 6; step += 1) lines.push(`\tfma.rn.f32 \t%f${index + step}, %f1, %f2, %f3; // rate ${index}.${step}`);
  }
  lines.push("\tret;", "}");
  const range = [5, lines.length];
  const plan = [3, 4, 5, 6, 7, 8, 40, 41, 42].map((load) => ({ load, what: "moved" })).concat([{ load: 20, what: "removed" }]);
  const made = rewrite(lines, range, plan);
  const kernel = Object.assign(emptyKernel("chemistry", range), {
    verdict: "changed", output: made.range, before: accessesOf(lines, ...range).slice(0, 420), after: accessesOf(made.output.split("\n"), ...made.range).slice(0, 420),
    summary: "9 loads moved up, 1 is no longer needed.", loads: { all: 234, removed: 1, shuffled: 0, widened: 12, moved: 9, other: 0, declined: 0, kept: 212 }, stores: STORES, targets: targetsOf(lines, range, made).slice(0, 2),
    links: plan.slice(0, 9).map((step) => ({ destination: made.loads[step.load].line, source: made.loads[0].line, lanes: null, what: "moved up" })),
  });
  return { path: "build/chemistry.ptx", compiler: "clang 19", target: "sm_80", input: lines.join("\n"), output: made.output, output_lines: made.output_lines, sources: [], positions: [], kernels: [kernel] };
}

/// Everything from outside holds markup.
function hostileModule() {
  const lines = [".version 8.5", ".target sm_75", ".visible .entry evil()", "{", `\tld.global.f32 \t%f1, [%rd1]; // ${HOSTILE}`, `\t// ${HOSTILE_SCRIPT}`, "\tret;", "}", ".func helper()", "{", "\tret;", "}"];
  const kernel = Object.assign(emptyKernel(HOSTILE_SCRIPT, [3, 8]), {
    title: HOSTILE, position: { line: 3, source: 0, source_line: 2 }, summary: `Nothing was found in ${HOSTILE}.`, verdict: "unchanged", before: accessesOf(lines, 3, 8), targets: targetsOf(lines, [3, 8], null), loads: { all: 1, removed: 0, shuffled: 0, widened: 0, moved: 0, other: 0, declined: 1, kept: 0 }, stores: STORES,
    remarks: [{ line: 5, other: null, pass: HOSTILE, name: HOSTILE, done: false, message: HOSTILE_SCRIPT, lift: HOSTILE }],
    why_not: [{ code: "", text: HOSTILE, declined: true, lines: [5], lift: HOSTILE, worth: HOSTILE }],
    groups: [{ scheme: HOSTILE, about: HOSTILE, line: 5, checks: [HOSTILE], done: false, rows: [{ line: 5, text: HOSTILE, takes: null }], frames: [{ name: HOSTILE, cells: ["L".repeat(32)] }] }],
  });
  const helper = Object.assign(emptyKernel("helper", [9, 12]), { entry: false, verdict: "declined", summary: "Not looked at: it has no loads." });
  return { path: `${HOSTILE}.ptx`, compiler: HOSTILE, target: "sm_75", input: lines.join("\n"), output: null, output_lines: [], sources: [{ name: `/src/${HOSTILE}.cu`, text: `// ${HOSTILE}\n${HOSTILE_SCRIPT}\n` }], positions: [{ line: 5, source: 0, source_line: 2 }], kernels: [kernel, helper] };
}

/// Without targets, and one whose original was better.
function bareModule() {
  const names = ["vecadd", "matvec", "sincos", "bt_x_solve_0", "conv1d_triton"];
  const lines = [".version 8.5", ".target sm_90"];
  const kernels = names.map((name, index) => {
    const first = lines.length + 1;
    lines.push(`.visible .entry ${name}()`, "{", "\tld.global.f32 \t%f1, [%rd1];", "\tst.global.f32 \t[%rd2], %f1;", "\tret;", "}");
    const kernel = Object.assign(emptyKernel(name, [first, lines.length]), { before: accessesOf(lines, first, lines.length), loads: { all: index + 1, removed: 0, shuffled: 0, widened: 0, moved: 0, other: 0, declined: 0, kept: index + 1 }, stores: STORES });
    if (index === 1) Object.assign(kernel, { verdict: "unchanged", reverted: "the new version needs 12 registers more, and 8 warps fewer fit", summary: "The original is kept." });
    return kernel;
  });
  return { path: "build/very/long/path/to/some/folder/of/a/build/small.ptx", compiler: null, target: "sm_90", input: lines.join("\n"), output: null, output_lines: [], sources: [], positions: [], kernels };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2] ?? "/tmp/sample-report.html";
  writeFileSync(out, assemble(sampleReport()));
  console.log(out);
}
