// The page of one kernel: what became of it, and sections that show it.

/// A section's name in the address, its heading, and what makes it; a section that has nothing to show is left out.
const SECTIONS = [
  ["code", "Code", (entry, view) => view.node],
  ["lanes", "Lanes", lanesOf],
  ["clock", "Cost on each GPU", clockOf],
  ["order", "Loads and stores in program order", orderOf],
  ["why", "Why not", whyNotOf],
  ["remarks", "Remarks", remarksOf],
  ["evidence", "Evidence", evidenceOf],
];

/// The view of the code stays at hand: links to lines go there.
function kernelPage(entry) {
  const view = new CodeView(entry);
  const made = SECTIONS.map(([id, title, make]) => [id, title, make(entry, view)]).filter(([, , content]) => content);
  const node = el(
    "div",
    { class: "kernel" },
    wayNav(entry, "top"),
    summaryOf(entry),
    el("nav", { class: "sections", "aria-label": "Sections" }, made.map(([id, title]) => el("a", { href: `${entry.hash}/${id}` }, title))),
    made.map(([id, title, content]) => el("section", { class: "card", id: `section-${id}`, "data-section": id, tabindex: "-1" }, el("h2", {}, title), content)),
    wayNav(entry, "end"),
  );
  return { node, view };
}

/// Back to the table, and to the kernels before and behind in the order of the modules.
function wayNav(entry, where) {
  const near = (index, words) => {
    const other = page.kernels[index];
    return other ? el("a", { href: other.hash, title: other.kernel.title }, words) : null;
  };
  return el("nav", { class: "way", "aria-label": `Kernels, ${where} of the page` }, el("a", { href: "#" }, "All kernels"), el("span", { class: "push" }), near(entry.index - 1, "← Previous"), near(entry.index + 1, "Next →"));
}

function summaryOf(entry) {
  const { kernel, module } = entry;
  return el(
    "section",
    { class: "card", "data-section": "summary" },
    el("h1", { tabindex: "-1" }, kernel.title),
    el(
      "p",
      { class: "muted facts" },
      chip(VERDICTS[kernel.verdict]),
      el("span", {}, kernel.entry ? "kernel" : "function"),
      kernel.name === kernel.title ? null : el("code", {}, kernel.name),
      el("span", {}, "of ", el("code", {}, module.path)),
      entry.place ? el("span", { title: entry.file }, entry.place) : null,
      el("span", {}, module.target),
    ),
    el("p", { class: "summary" }, prose(kernel.summary)),
    kernel.reverted ? el("p", { class: "notice" }, el("b", {}, "The original is kept: "), prose(kernel.reverted)) : null,
    fates(kernel.loads, "load", "Loads by what became of them"),
    fates(kernel.stores, "store", "Stores by what became of them"),
    kernel.targets.length ? targetTable(kernel) : null,
  );
}

/// A bar of loads or stores.
function fates(counts, noun, title) {
  if (!counts.all) return null;
  const parts = FATES.map(([field, words, about]) => ({ kind: field, count: counts[field], words, title: about }));
  return el("div", {}, el("h2", { class: "minor" }, plural(counts.all, noun)), partBar(title, parts));
}

function targetTable(kernel) {
  const fields = [["instructions", "Instructions"], ["memory", "Memory"], ["registers", "Registers"], ["warps", "Warps"]];
  const rows = kernel.targets.map((target) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, target.arch),
      fields.map(([field]) => el("td", { class: "number" }, changeCell(target.before?.[field], target.after?.[field]))),
      el("td", { title: target.unknown }, target.ratio ? el("span", { class: "ratio-cell" }, ratioBar(target.ratio), ratioWords(target.ratio)) : "–"),
      el("td", {}, chip(VERDICTS[target.verdict])),
    ),
  );
  const head = el("tr", {}, el("th", { scope: "col" }, "GPU"), fields.map(([, words]) => el("th", { scope: "col", class: "number" }, words)), el("th", { scope: "col" }, "Estimate"), el("th", { scope: "col" }, "Verdict"));
  return framed("Figures by architecture", el("table", { class: "compact targets" }, el("thead", {}, head), el("tbody", {}, rows)));
}
