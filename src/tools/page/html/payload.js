// The data of the report: unpacked from the page, and numbered for the views.

/// What all views share: the report, its kernels in one list, and the architecture that is looked at.
const page = { report: null, kernels: [], archs: [], arch: null };

/// The payload is base64 of gzip of JSON.
async function readPayload() {
  const packed = document.getElementById("payload").textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return listed(JSON.parse(await new Response(stream).text()));
}

/// Machine code comes as a text and a list of lines; views want one thing for each instruction.
function listed(report) {
  const targets = report.modules.flatMap((module) => module.kernels.flatMap((kernel) => kernel.targets));
  for (const version of targets.flatMap(({ before, after }) => [before, after])) {
    if (!version) continue;
    const { text, lines } = version.code;
    version.code = text === "" ? [] : text.split("\n").map((text, index) => ({ at: 16 * index, text, line: lines[index] }));
  }
  return report;
}

function openReport(report) {
  page.report = report;
  report.modules.forEach((module, m) => {
    module.kernels.forEach((kernel, k) => page.kernels.push(entryOf(module, kernel, m, k)));
  });
  const archs = new Set(page.kernels.flatMap((entry) => entry.kernel.targets.map((target) => target.arch)));
  page.archs = [...archs].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  page.arch = report.arch;
}

function entryOf(module, kernel, m, k) {
  const source = kernel.position ? module.sources[kernel.position.source] : null;
  return {
    module,
    kernel,
    index: page.kernels.length,
    hash: `#k/${m}/${k}`,
    file: source ? source.name : "",
    place: source ? `${baseName(source.name)}:${kernel.position.source_line}` : "",
  };
}

function baseName(path) {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function targetOf(kernel, arch) {
  return kernel.targets.find((target) => target.arch === arch) ?? null;
}

/// The version that runs: the old one where nothing changed.
function latest(target) {
  return target?.after ?? target?.before ?? null;
}
