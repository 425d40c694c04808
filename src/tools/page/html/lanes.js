// The lane picture: 32 lanes of a warp in a row for each load of a group, and who takes whose register.

const LANES = 32;
const CELL = 18;
const PITCH = 21;
const ROWS_APART = 50;
const LABEL = 250;
const TOP = 20;

const CELL_WORDS = { L: "loads", S: "takes", C: "loads at a corner", ".": "takes no part" };

function lanesOf(entry) {
  const { groups } = entry.kernel;
  if (!groups.length) return null;
  return el("div", {}, laneLegend(), groups.map((group, index) => groupOf(entry, group, index)));
}

/// The lane that gives, or none where the shuffle leaves the warp.
function givingLane(takes, lane) {
  const from = { shift: lane + takes.by, xor: lane ^ takes.by, lane: takes.by }[takes.map];
  return from >= 0 && from < LANES ? from : null;
}

function takesWords(takes) {
  if (takes.map === "shift") return takes.by ? `lane i${takes.by > 0 ? "+" : "−"}${Math.abs(takes.by)}` : "the own lane";
  return takes.map === "xor" ? `lane i xor ${takes.by}` : `lane ${takes.by}`;
}

function groupOf(entry, group, index) {
  const picture = el("div", { class: "frame picture", role: "region", "aria-label": `Lanes of group ${index + 1}`, tabindex: "0" });
  const caption = el("figcaption");
  const name = el("output", { class: "frame-name" });
  picture.addEventListener("mouseover", (event) => pickOut(picture, event.target.dataset ?? {}));
  const draw = (number) => {
    const frame = group.frames[number];
    name.textContent = frame.name;
    const words = group.rows.map((row, r) => rowWords(row, frame.cells[r]));
    picture.replaceChildren(lanePicture(group, frame, words));
    caption.replaceChildren(el("ul", { class: "plain" }, group.rows.map((row, r) => el("li", {}, "line ", lineLink(entry, row.line), `: ${words[r]}`))));
  };
  const figure = el("figure", { class: "group", "data-group": index }, groupHead(entry, group, index), frameControls(group, name, draw), el("div", { class: "group-body" }, picture, caption));
  if (group.frames.length) draw(0);
  return figure;
}

/// The arrows of the row or the lane under the pointer stand out.
function pickOut(picture, { row, lane }) {
  for (const arrow of picture.querySelectorAll(".arrow")) {
    const { fromRow, fromLane, toRow } = arrow.dataset;
    arrow.classList.toggle("dim", row !== undefined && toRow !== row && !(fromRow === row && fromLane === lane));
  }
}

function groupHead(entry, group, index) {
  const state = group.done ? ["✓", "done", "good"] : ["○", "not done", "warn"];
  const checks = group.checks.length ? el("ul", { class: "checks" }, group.checks.map((text) => el("li", {}, prose(text)))) : null;
  return el(
    "div",
    { class: "group-head" },
    el("h3", {}, `Group ${index + 1}: `, el("code", {}, group.scheme), " ", chip(state)),
    el("p", {}, prose(group.about), group.line ? [". Mask and clamp are made in front of line ", lineLink(entry, group.line), "."] : null),
    checks ? el("div", { class: "muted" }, "Checked at run time:", checks) : null,
  );
}

/// A slider over the warps that are shown, and a button that plays them.
function frameControls(group, name, draw) {
  const { frames } = group;
  if (!frames.length) return el("p", { class: "muted" }, "No warp is known to draw.");
  if (frames.length === 1) return el("p", { class: "controls" }, name);
  const slider = el("input", { type: "range", min: 0, max: frames.length - 1, step: 1, value: 0 });
  const go = (number) => {
    slider.value = number;
    slider.setAttribute("aria-valuetext", frames[number].name);
    draw(number);
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  slider.setAttribute("aria-valuetext", frames[0].name);
  return el("div", { class: "controls" }, el("label", { class: "field" }, el("span", {}, "Warp"), slider), playButton(slider, frames.length, go), name);
}

function playButton(slider, count, go) {
  const button = el("button", { type: "button" }, "Play");
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
  };
  slider.addEventListener("input", stop);
  button.addEventListener("click", () => {
    if (timer) return stop();
    button.textContent = "Stop";
    timer = setInterval(() => (button.isConnected ? go((Number(slider.value) + 1) % count) : stop()), 1200);
    return go((Number(slider.value) + 1) % count);
  });
  return button;
}

/// What the lanes of a row do, for those who do not see the picture, and for those who do.
function rowWords(row, cells) {
  const from = row.takes ? takesWords(row.takes) : "another lane";
  const words = [["S", `takes from ${from}`, `take from ${from}`], ["L", "loads", "load"], ["C", "loads at a corner", "load at a corner"], [".", "takes no part", "take no part"]];
  const parts = words.map(([letter, one, many]) => {
    const count = [...cells].filter((cell) => cell === letter).length;
    return count ? `${plural(count, "lane")} ${count === 1 ? one : many}` : null;
  });
  return parts.filter(Boolean).join(", ");
}

function lanePicture(group, frame, words) {
  const width = LABEL + LANES * PITCH + 4;
  const height = TOP + (group.rows.length - 1) * ROWS_APART + CELL + 6;
  const hatch = identity("hatch");
  const tip = identity("tip");
  const title = identity("title");
  const desc = identity("desc");
  return svg(
    "svg",
    { class: "lanes", role: "img", "aria-labelledby": `${title} ${desc}`, width, height, viewBox: `0 0 ${width} ${height}` },
    svg("title", { id: title }, `Lanes of one warp: ${frame.name}`),
    svg("desc", { id: desc }, group.rows.map((row, r) => `Line ${row.line}: ${words[r]}.`).join(" ")),
    laneDefinitions(hatch, tip),
    laneNumbers(),
    group.rows.map((row, r) => rowLabel(group, row, r)),
    // Arrows over more than one row pass behind the cells between.
    group.rows.map((row, r) => laneArrows(row, r, frame.cells[r], tip)),
    group.rows.map((row, r) => laneCells(row, r, frame.cells[r], hatch)),
  );
}

function laneDefinitions(hatch, tip) {
  const stripes = svg("path", { d: "M0 6 L6 0 M-1 1 L1 -1 M5 7 L7 5", class: "stripe" });
  const head = svg("path", { d: "M0 0 L6 3 L0 6 Z", class: "tip" });
  return svg(
    "defs",
    {},
    svg("pattern", { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, stripes),
    // The tip ends where the line ends.
    svg("marker", { id: tip, markerWidth: 6, markerHeight: 6, refX: 6, refY: 3, orient: "auto", markerUnits: "userSpaceOnUse" }, head),
  );
}

function laneNumbers() {
  const numbers = [0, 4, 8, 12, 16, 20, 24, 28, 31];
  const label = svg("text", { class: "small", x: LABEL - 10, y: 12, "text-anchor": "end" }, "lane");
  return [label, numbers.map((lane) => svg("text", { class: "small", x: laneX(lane) + CELL / 2, y: 12, "text-anchor": "middle" }, lane))];
}

function laneX(lane) {
  return LABEL + lane * PITCH;
}

function rowY(row) {
  return TOP + row * ROWS_APART;
}

function rowLabel(group, row, r) {
  const from = row.takes ? `takes ${takesWords(row.takes)} of line ${group.rows[row.takes.row].line}` : "source";
  return [
    svg("text", { class: "row-label", x: 0, y: rowY(r) + 8 }, `line ${row.line} · ${from}`),
    svg("text", { class: "row-text", x: 0, y: rowY(r) + 22 }, cut(row.text.trim().replace(/\s+/g, " "), 37), svg("title", {}, row.text)),
  ];
}

function laneCells(row, r, cells, hatch) {
  return [...cells].map((kind, lane) => {
    const from = kind === "S" && row.takes ? givingLane(row.takes, lane) : null;
    const words = from === null ? CELL_WORDS[kind] : `takes lane ${from}'s register`;
    const common = { "data-row": r, "data-lane": lane, "data-cell": kind, x: laneX(lane), y: rowY(r), width: CELL, height: CELL, rx: 3 };
    const rect = svg("rect", { ...common, class: { L: "loads", S: "takes", C: "corner", ".": "idle" }[kind] }, svg("title", {}, `lane ${lane}: ${words}`));
    if (kind === "C") rect.style.setProperty("fill", `url(#${hatch})`);
    return rect;
  });
}

/// One arrow for each lane that takes: from the edge of the cell that gives to the edge of the own cell.
function laneArrows(row, r, cells, tip) {
  if (!row.takes) return null;
  const down = row.takes.row < r;
  return [...cells].map((kind, lane) => {
    const from = kind === "S" ? givingLane(row.takes, lane) : null;
    if (from === null) return null;
    const start = [laneX(from) + CELL / 2, rowY(row.takes.row) + (down ? CELL : 0)];
    const end = [laneX(lane) + CELL / 2, rowY(r) + (down ? 0 : CELL)];
    return svg("line", {
      class: "arrow",
      "marker-end": `url(#${tip})`,
      "data-from-row": row.takes.row,
      "data-from-lane": from,
      "data-to-row": r,
      "data-to-lane": lane,
      x1: start[0],
      y1: start[1],
      x2: end[0],
      y2: end[1],
    });
  });
}

function laneLegend() {
  const kinds = [["loads", "loads"], ["takes", "takes another lane's register (arrow)"], ["corner", "corner lane, loads"], ["idle", "takes no part"]];
  return el("ul", { class: "legend", "aria-label": "Legend" }, kinds.map(([kind, words]) => el("li", {}, el("span", { class: `cell ${kind}` }), words)));
}
