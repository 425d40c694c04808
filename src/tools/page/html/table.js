// The table of all kernels: sorted by any column, filtered by name and verdict, for one architecture at a time.

/// Outlives the table, so that coming back finds it as it was.
const tableState = { column: null, down: false, text: "", verdict: "", last: null, arch: undefined, rows: null };

/// A column: its words, what it sorts by (`null` goes last), and its cell.
function kernelColumns() {
  const verdict = { id: "verdict", words: "Verdict", key: (entry) => Object.keys(VERDICTS).indexOf(verdictOf(entry)), cell: (entry) => chip(VERDICTS[verdictOf(entry)]) };
  return [
    { id: "kernel", words: "Kernel", key: (entry) => entry.kernel.title.toLowerCase(), cell: kernelCell },
    verdict,
    ...(page.arch ? targetColumns() : []),
    loadColumn("all", "all", "all that were looked at"),
    ...FATES.map(([field, words, title]) => loadColumn(field, words, title)),
    { id: "module", words: "Module", key: (entry) => entry.module.path, cell: moduleCell },
    { id: "source", words: "Source", key: sourceKey, cell: sourceCell },
  ];
}

/// Of the chosen architecture.
function targetColumns() {
  return [
    { id: "ratio", group: "target", words: "Estimate", title: "old time by new time: above 1 is faster", key: (entry) => chosen(entry)?.ratio?.[0] ?? null, cell: ratioCell },
    figureColumn("instructions", "Instr.", "machine instructions on the path that is executed most, every loop once"),
    figureColumn("memory", "Memory", "of these, loads and stores of global memory"),
    figureColumn("registers", "Regs", "registers of a thread"),
    figureColumn("warps", "Warps", "that registers leave room for on a multiprocessor"),
  ];
}

function loadColumn(field, words, title) {
  const cell = (entry) => el("span", { class: entry.kernel.loads[field] ? null : "muted" }, figure(entry.kernel.loads[field]));
  return { id: `loads-${field}`, group: "loads", words, title, number: true, key: (entry) => entry.kernel.loads[field], cell };
}

function figureColumn(field, words, title) {
  const key = (entry) => latest(chosen(entry))?.[field] ?? null;
  const cell = (entry) => changeCell(chosen(entry)?.before?.[field], chosen(entry)?.after?.[field]);
  return { id: field, group: "target", words, title: `${title}; sorted by the number after`, number: true, key, cell };
}

function changeCell(before, after) {
  const changed = after !== null && after !== undefined && before !== null && after !== before;
  return el("span", { class: changed ? "changed" : null }, change(before, after));
}

function chosen(entry) {
  return targetOf(entry.kernel, page.arch);
}

function kernelCell(entry) {
  return el("a", { href: entry.hash, title: entry.kernel.name }, entry.kernel.title);
}

function moduleCell(entry) {
  return el("span", { title: entry.module.path }, baseName(entry.module.path));
}

function sourceKey(entry) {
  return entry.file ? `${entry.file}:${String(entry.kernel.position.source_line).padStart(7, "0")}` : null;
}

function sourceCell(entry) {
  return entry.place ? el("span", { title: entry.file }, entry.place) : el("span", { class: "muted" }, "–");
}

function ratioCell(entry) {
  const ratio = chosen(entry)?.ratio;
  if (!ratio) return el("span", { class: "muted", title: chosen(entry)?.unknown }, "–");
  return el("span", { class: "ratio-cell" }, ratioBar(ratio), el("span", {}, ratioWords(ratio)));
}

/// On the chosen architecture; device functions have no figures.
function verdictOf(entry) {
  return chosen(entry)?.verdict ?? entry.kernel.verdict;
}

/// Compares keys; those that are missing stay at the end both ways.
function compareKeys(a, b, down) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return down ? -order : order;
}

function sortedEntries(column) {
  const entries = page.kernels.filter(passesFilter);
  if (!column) return entries;
  return entries.sort((a, b) => compareKeys(column.key(a), column.key(b), tableState.down) || a.index - b.index);
}

function passesFilter(entry) {
  const { text, verdict } = tableState;
  if (verdict && verdictOf(entry) !== verdict) return false;
  const words = `${entry.kernel.title}\n${entry.kernel.name}\n${entry.module.path}\n${entry.place}\n${entry.file}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((part) => words.includes(part));
}

/// The section with its controls; the table itself is made anew by each of them.
function tableOf() {
  const status = el("p", { role: "status", class: "muted count" });
  const frame = framed("Kernels", null, "tall");
  const draw = () => drawTable(frame, status);
  const section = el(
    "section",
    { class: "card", "data-section": "kernels" },
    el("h2", {}, "Kernels"),
    tableControls(draw),
    page.arch ? null : el("p", { class: "muted" }, "No architecture was looked at, so there are no figures of machine code."),
    frame,
  );
  section.querySelector(".controls").append(status);
  draw();
  return section;
}

function tableControls(draw) {
  const set = (field) => (value) => {
    tableState[field] = value;
    draw();
  };
  const box = el("input", { type: "search", value: tableState.text, placeholder: "name or file", oninput: () => set("text")(box.value) });
  const verdicts = [["", "all"], ...Object.entries(VERDICTS).map(([value, [, words]]) => [value, words])];
  const takeArch = (value) => {
    page.arch = value;
    draw();
  };
  return el(
    "div",
    { class: "controls" },
    el("label", { class: "field" }, el("span", {}, "Filter"), box),
    choice("Verdict", verdicts, tableState.verdict, set("verdict")),
    page.arch ? choice("Architecture", page.archs, page.arch, takeArch) : null,
  );
}

/// Rows are made once for an architecture: sorting and filtering only arrange them.
function rowsOf(entries, columns) {
  if (tableState.arch !== page.arch) Object.assign(tableState, { arch: page.arch, rows: new Map() });
  return entries.map((entry) => {
    if (!tableState.rows.has(entry)) tableState.rows.set(entry, el("tr", { "data-index": entry.index }, columns.map((column) => tableCell(column, entry))));
    return tableState.rows.get(entry);
  });
}

function drawTable(frame, status) {
  const columns = kernelColumns();
  const entries = sortedEntries(columns.find((column) => column.id === tableState.column));
  const body = rowsOf(entries, columns);
  const sort = (id) => {
    tableState.down = tableState.column === id && !tableState.down;
    tableState.column = id;
    drawTable(frame, status);
    frame.querySelector(`[data-sort="${id}"]`).focus();
  };
  const left = frame.scrollLeft;
  frame.replaceChildren(
    el(
      "table",
      { class: "kernels" },
      el("thead", {}, groupRow(columns), el("tr", {}, columns.map((column) => headCell(column, sort)))),
      el("tbody", {}, body.length ? body : el("tr", {}, el("td", { colspan: columns.length, class: "muted" }, "No kernel is like this."))),
    ),
  );
  frame.scrollLeft = left;
  status.textContent = `${entries.length} of ${plural(page.kernels.length, "kernel")}`;
}

function tableCell(column, entry) {
  const tag = column.id === "kernel" ? "th" : "td";
  const attributes = { class: `${column.number ? "number" : ""} c-${column.id}`, "data-column": column.id };
  if (tag === "th") attributes.scope = "row";
  return el(tag, attributes, column.cell(entry));
}

function groupRow(columns) {
  const count = (group) => columns.filter((column) => column.group === group).length;
  const targets = count("target");
  return el(
    "tr",
    { class: "groups" },
    el("td", { colspan: 2 }),
    targets ? el("th", { scope: "colgroup", colspan: targets, class: "first" }, `${page.arch}, before → after`) : null,
    el("th", { scope: "colgroup", colspan: count("loads"), class: "first" }, "Loads"),
    el("td", { colspan: 2, class: "first" }),
  );
}

function headCell(column, sort) {
  const sorted = tableState.column === column.id;
  const direction = sorted ? (tableState.down ? "descending" : "ascending") : "none";
  const sign = el("span", { class: "sign", "aria-hidden": "true" }, sorted ? (tableState.down ? "▼" : "▲") : "");
  const button = el("button", { type: "button", class: "sort", title: column.title, "data-sort": column.id, onclick: () => sort(column.id) }, column.words, sign);
  return el("th", { scope: "col", "aria-sort": direction, class: `${column.number ? "number" : ""} c-${column.id}` }, button);
}
