// Loads and stores in the order of the program, one mark each: loads in bulk are a run of the same mark.

const KINDS = {
  load: ["L", "load"],
  store: ["S", "store"],
  atomic: ["A", "atomic"],
  shuffle: ["↔", "shuffle"],
  barrier: ["‖", "barrier"],
};

function orderOf(entry) {
  const { before, after } = entry.kernel;
  if (!before.length && !after.length) return null;
  return el(
    "div",
    {},
    stripLegend([...before, ...after]),
    strip(entry, after.length ? "Before" : "Not changed", before, (access) => access.line),
    after.length ? strip(entry, "After", after, (access) => entry.module.output_lines[access.line - 1] ?? 0) : null,
  );
}

/// From so many marks on they are drawn smaller.
const DENSE = 240;

/// The marks of one version. `inputLine` finds the line of the input that a mark leads to.
function strip(entry, title, accesses, inputLine) {
  const id = identity("mark");
  const marks = accesses.map((access, index) => markOf(access, `${id}-${index}`));
  const deepest = Math.min(4, Math.max(0, ...accesses.map((access) => access.depth)));
  const box = el("div", { class: accesses.length > DENSE ? "strip dense" : "strip", role: "listbox", tabindex: "0", "aria-label": `Loads and stores, ${title.toLowerCase()}`, style: { "--deepest": deepest } }, marks);
  const said = el("span", { class: "muted", role: "status" });
  let current = -1;
  const move = (index) => {
    marks[current]?.classList.remove("current");
    current = index;
    marks[index].classList.add("current");
    box.setAttribute("aria-activedescendant", marks[index].id);
    said.textContent = markWords(accesses[index]);
  };
  const enter = (index) => {
    const line = inputLine(accesses[index]);
    if (line) location.hash = `${entry.hash}/L${line}`;
  };
  walkable(box, { count: () => marks.length, where: () => current, page: 10, move, enter });
  box.addEventListener("click", (event) => {
    const index = marks.indexOf(event.target.closest(".mark"));
    if (index < 0) return;
    move(index);
    enter(index);
  });
  return el("div", { class: "strip-row" }, el("h3", {}, title), el("p", { class: "muted" }, stripWords(accesses), " ", said), box);
}

function markOf(access, id) {
  const [letter] = KINDS[access.kind];
  const classes = ["mark", `k-${access.kind}`];
  if (access.guarded) classes.push("guarded");
  if (access.space && !["global", "generic"].includes(access.space)) classes.push("near");
  if (access.bytes > 4) classes.push(access.bytes > 8 ? "wide16" : "wide8");
  return el("span", { class: classes.join(" "), id, role: "option", title: markWords(access), style: { "--depth": Math.min(access.depth, 4) } }, el("span", { class: "face" }, letter));
}

function markWords(access) {
  const words = [KINDS[access.kind][1]];
  if (access.space) words.push(access.space);
  if (access.bytes) words.push(plural(access.bytes, "byte"));
  if (access.guarded) words.push("not by every lane");
  if (access.depth) words.push(`in ${plural(access.depth, "loop")}`);
  return `line ${access.line}: ${words.join(", ")}`;
}

/// Counts, and the longest run of loads: a shuffle ends it, as it waits for the load that it takes from.
function stripWords(accesses) {
  const count = (kind) => accesses.filter((access) => access.kind === kind).length;
  const parts = Object.entries(KINDS).filter(([kind]) => count(kind)).map(([kind, [, word]]) => plural(count(kind), word));
  let [run, longest, depth] = [0, 0, -1];
  for (const access of accesses) {
    run = access.kind === "load" ? (access.depth === depth ? run + 1 : 1) : 0;
    depth = access.depth;
    longest = Math.max(longest, run);
  }
  return `${parts.join(", ")}; longest run of loads: ${longest}.`;
}

function stripLegend(accesses) {
  const example = (classes, letter) => el("span", { class: `mark ${classes}`, style: { "--depth": 0 } }, el("span", { class: "face" }, letter));
  const items = Object.entries(KINDS)
    .filter(([kind]) => accesses.some((access) => access.kind === kind))
    .map(([kind, [letter, words]]) => [example(`k-${kind}`, letter), words]);
  if (accesses.some((access) => access.guarded)) items.push([example("k-load guarded", "L"), "not by every lane"]);
  if (accesses.some((access) => access.space && !["global", "generic"].includes(access.space))) items.push([example("k-load near", "L"), "not global memory"]);
  if (accesses.some((access) => access.bytes > 4)) items.push([example("k-load wide8", "L"), "8 bytes or more: wider"]);
  if (accesses.some((access) => access.depth)) items.push([el("span", { class: "loop-key" }), "line below: in a loop, one line each"]);
  return el("ul", { class: "legend", "aria-label": "Legend" }, items.map(([mark, words]) => el("li", {}, el("span", { "aria-hidden": "true" }, mark), words)));
}
