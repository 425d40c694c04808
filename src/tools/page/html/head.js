// The top of the report: verdict, the command that makes it again, assumptions, figures of a build, modules.

function headOf(report) {
  const { verdict } = report;
  return el(
    "section",
    { class: "card", "data-section": "head" },
    el("h1", { tabindex: "-1" }, "Report"),
    el("p", { class: "verdict" }, verdict.line),
    partBar("Kernels by what became of them", [
      { kind: "faster", count: verdict.faster, words: "faster", title: "changed, and by the estimate faster by 3 % or more" },
      { kind: "changed", count: verdict.changed, words: "changed", title: "changed, and not faster by 3 % by the estimate, or there is none" },
      { kind: "unchanged", count: verdict.unchanged, words: "unchanged", title: "looked at, and as it was" },
      { kind: "declined", count: verdict.declined, words: "declined", title: "not looked at" },
    ]),
    commandOf(report.command),
    assumedOf(report.assumed),
  );
}

function commandOf(command) {
  const code = el("code", { title: "makes this report again" }, command);
  const button = el("button", { type: "button" }, "Copy");
  const said = el("span", { role: "status", class: "muted" });
  button.addEventListener("click", async () => {
    said.textContent = (await copied(command, code)) ? "copied" : "press Ctrl+C";
  });
  return el("div", { class: "command" }, code, button, said);
}

/// Browsers may keep a page from a file away from the clipboard: then the text is selected at least.
async function copied(text, node) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}

function assumedOf(assumed) {
  if (!assumed.length) return null;
  return el(
    "div",
    { class: "notice assumed", role: "note" },
    el("h2", {}, assumed.length === 1 ? "Assumption" : "Assumptions"),
    el("ul", {}, assumed.map((text) => el("li", {}, prose(text)))),
  );
}

function buildOf(build) {
  if (!build) return null;
  return el(
    "section",
    { class: "card", "data-section": "build" },
    el("h2", {}, "Build"),
    el("p", { class: "muted" }, `${plural(build.modules, "module")}, statistics of `, el("code", {}, build.folder)),
    el("dl", { class: "figures" }, build.figures.map((each) => el("div", {}, el("dt", {}, each.name), el("dd", {}, each.value)))),
  );
}

function modulesOf(modules) {
  if (!modules.length) return null;
  const rows = modules.map((module) => {
    const changed = module.kernels.filter((kernel) => ["faster", "changed"].includes(kernel.verdict)).length;
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("code", {}, module.path)),
      el("td", {}, module.compiler ?? "not named"),
      el("td", {}, module.target),
      el("td", { class: "number" }, figure(module.kernels.length)),
      el("td", { class: "number" }, figure(changed)),
    );
  });
  const names = ["Module", "Compiler", "Target"].map((name) => el("th", { scope: "col" }, name));
  const counts = ["Kernels", "Changed"].map((name) => el("th", { scope: "col", class: "number" }, name));
  return el(
    "section",
    { class: "card", "data-section": "modules" },
    el("h2", {}, "Modules"),
    framed("Modules", el("table", {}, el("thead", {}, el("tr", {}, names, counts)), el("tbody", {}, rows))),
  );
}
