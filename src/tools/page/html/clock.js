// What the kernel costs on each GPU: figures, what a warp waits for, how busy the pipes are, and how registers limit the warps.

const FIGURES = [
  ["registers", "Registers"],
  ["warps", "Warps"],
  ["instructions", "Instructions"],
  ["memory", "– global memory"],
  ["local", "– local memory"],
  ["rounds", "Waits for memory"],
  ["cycles", "Cycles of a warp"],
  ["time", "Time, µs"],
];

function clockOf(entry) {
  const { targets } = entry.kernel;
  if (!targets.length) return null;
  return el("div", { class: "clocks" }, targets.map(clockCard));
}

function clockCard(target) {
  const versions = [["before", target.before], ["after", target.after]].filter(([, version]) => version);
  return el(
    "section",
    { class: "clock", "data-arch": target.arch, "aria-label": target.arch },
    el("h3", {}, target.arch, " ", chip(VERDICTS[target.verdict])),
    target.ratio ? el("p", { class: "ratio-cell" }, ratioBar(target.ratio, 160), `old time by new time: ${ratioWords(target.ratio)}`) : null,
    target.unknown ? el("p", { class: "unknown" }, prose(target.unknown)) : null,
    launchLine(target),
    versions.length ? el("div", { class: "clock-parts" }, figureTable(target, versions), stairs(target, versions)) : null,
    waitBars(target, versions),
    pipeBars(target, versions),
  );
}

function launchLine(target) {
  if (!target.launch) return null;
  const madeUp = target.made_up ? el("span", { class: "chip warn" }, "launch made up") : null;
  return el("p", { class: "muted" }, "Launch: ", target.launch, " ", madeUp);
}

/// A table of figures before and after, with the difference.
function figureTable(target, versions) {
  const rows = FIGURES.filter(([field]) => versions.some(([, version]) => version[field] !== null));
  const head = el("tr", {}, el("td", {}), versions.map(([name]) => el("th", { scope: "col", class: "number" }, name)), versions.length > 1 ? el("th", { scope: "col", class: "number" }, "change") : null);
  const body = rows.map(([field, words]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, words),
      versions.map(([, version]) => el("td", { class: "number" }, figure(version[field]))),
      versions.length > 1 ? el("td", { class: "number muted" }, difference(target.before?.[field], target.after?.[field])) : null,
    ),
  );
  const bounds = versions.some(([, version]) => version.bound) && el("tr", {}, el("th", { scope: "row" }, "Bound by"), versions.map(([, version]) => el("td", { class: "number" }, version.bound ?? "–")), versions.length > 1 ? el("td") : null);
  return framed(`Figures for ${target.arch}`, el("table", { class: "compact" }, el("thead", {}, head), el("tbody", {}, body, bounds)));
}

function difference(before, after) {
  if (typeof before !== "number" || typeof after !== "number") return "";
  const step = after - before;
  return step === 0 ? "=" : `${step > 0 ? "+" : "−"}${figure(Math.abs(step))}`;
}

/// Stacked bars, as long as the cycles; the letter of a part is that of its row in the table below.
function waitBars(target, versions) {
  const shown = versions.filter(([, version]) => version.waits.length);
  if (!shown.length) return null;
  const names = namesOf(shown, "waits");
  const longest = Math.max(...shown.map(([, version]) => version.cycles ?? 1));
  const bars = shown.map(([name, version]) => {
    const bar = el("div", { class: "bar waits", style: { width: `${(100 * (version.cycles ?? longest)) / longest}%` } });
    for (const { name: what, share } of version.waits.filter((each) => names.includes(each.name))) {
      const index = names.indexOf(what);
      const letter = share > 0.03 ? letterOf(index) : "";
      bar.append(el("span", { class: `part w${index % 8}`, style: { "flex-grow": share }, title: `${what}: ${percent(share)}` }, letter));
    }
    return el("div", { class: "bar-row" }, el("span", { class: "bar-name" }, name), el("div", { class: "bar-track" }, bar), el("span", { class: "bar-end" }, version.cycles === null ? "" : `${figure(version.cycles)} cycles`));
  });
  const key = (index) => el("span", { class: `key w${index % 8}`, "aria-hidden": "true" }, letterOf(index));
  return el("div", { class: "chart" }, el("h4", {}, "What a warp's cycles go by on"), el("div", { "aria-hidden": "true" }, bars), shareTable("Waits", names, shown, "waits", key));
}

/// Two thin bars for each pipe; the one that bounds is at 100 %.
function pipeBars(target, versions) {
  const shown = versions.filter(([, version]) => version.pipes.length);
  if (!shown.length) return null;
  const names = namesOf(shown, "pipes");
  const rows = names.map((what) => {
    const bars = shown.map(([name, version]) => el("div", { class: `thin ${name}`, style: { width: `${100 * Math.min(1, shareOf(version, "pipes", what) ?? 0)}%` } }));
    const words = shown.map(([, version]) => percent(shareOf(version, "pipes", what) ?? 0)).join(" → ");
    return el("li", {}, el("span", { class: "bar-name" }, what), el("div", { class: "bar-track rail" }, bars), el("span", { class: "bar-end" }, words));
  });
  const key = shown.length > 1 ? el("p", { class: "muted keys" }, el("span", { class: "thin before" }), " before ", el("span", { class: "thin after" }), " after") : null;
  return el("div", { class: "chart" }, el("h4", {}, "How busy the pipes are"), key, el("ul", { class: "pipes" }, rows));
}

function namesOf(versions, field) {
  const counted = versions.flatMap(([, version]) => version[field].filter((each) => each.share >= 0.0005));
  return [...new Set(counted.map((each) => each.name))];
}

function shareOf(version, field, name) {
  return version[field].find((each) => each.name === name)?.share ?? null;
}

function letterOf(index) {
  return String.fromCharCode(97 + (index % 26));
}

function shareTable(label, names, versions, field, key) {
  const head = el("tr", {}, el("th", { scope: "col" }, label), versions.map(([name]) => el("th", { scope: "col", class: "number" }, name)));
  const cells = (what) => versions.map(([, version]) => el("td", { class: "number" }, percent(shareOf(version, field, what) ?? 0)));
  const body = names.map((what, index) => el("tr", {}, el("th", { scope: "row" }, key(index), what), cells(what)));
  return el("table", { class: "compact shares" }, el("thead", {}, head), el("tbody", {}, body));
}

/// Registers of a thread against warps of a multiprocessor: a step down is a step of occupancy.
function stairs(target, versions) {
  const steps = target.staircase;
  if (!steps.length) return null;
  const [width, height, left, bottom] = [300, 170, 34, 30];
  const most = Math.max(...steps.map(([, warps]) => warps), ...versions.map(([, version]) => version.warps));
  const last = Math.max(...steps.map(([registers]) => registers));
  const x = (registers) => left + (registers / last) * (width - left - 12);
  const y = (warps) => height - bottom - (warps / most) * (height - bottom - 18);
  let path = `M${x(0)} ${y(steps[0][1])}`;
  steps.forEach(([registers, warps], index) => {
    path += ` V${y(warps)} H${x(registers)}`;
    if (index === steps.length - 1) path += ` V${y(0)}`;
  });
  const words = versions.map(([name, version]) => `${name}: ${version.registers} registers, ${version.warps} warps`).join("; ");
  const ticks = [...new Set([32, 64, 128, last])].filter((registers) => registers <= last && (registers === last || last - registers > last / 12));
  return el(
    "figure",
    { class: "stairs-figure" },
    el("h4", {}, "Warps by registers"),
    svg(
      "svg",
      { class: "stairs", role: "img", "aria-label": `Occupancy on ${target.arch}: ${words}`, width, height, viewBox: `0 0 ${width} ${height}` },
      svg("path", { class: "area", d: `${path} H${x(0)} Z` }),
      svg("path", { class: "stair", d: path }),
      svg("path", { class: "axis", d: `M${left} 8 V${height - bottom} H${width - 8}` }),
      ticks.map((registers) => svg("text", { class: "small", x: x(registers), y: height - 16, "text-anchor": "middle" }, registers)),
      [0, most / 2, most].map((warps) => svg("text", { class: "small", x: left - 6, y: y(warps) + 4, "text-anchor": "end" }, warps)),
      svg("text", { class: "small", x: left + (width - left) / 2, y: height - 3, "text-anchor": "middle" }, "registers of a thread"),
      stairMarks(versions, x, y),
    ),
  );
}

/// A ring for the old version, a diamond for the new one; the words go to the side that has room.
function stairMarks(versions, x, y) {
  const same = versions.length > 1 && versions[0][1].registers === versions[1][1].registers && versions[0][1].warps === versions[1][1].warps;
  const [first, second] = versions.map(([, version]) => [x(version.registers), y(version.warps)]);
  const near = second && Math.abs(first[0] - second[0]) < 52 && Math.abs(first[1] - second[1]) < 15;
  return versions.map(([name, version], index) => {
    const [cx, cy] = [x(version.registers), y(version.warps)];
    const mark = name === "before" ? svg("circle", { class: "mark before", cx, cy, r: 5 }) : svg("path", { class: "mark after", d: `M${cx} ${cy - 5} L${cx + 5} ${cy} L${cx} ${cy + 5} L${cx - 5} ${cy} Z` });
    if (same && index === 0) return mark;
    const words = same ? "before and after" : name;
    const right = cx < 230;
    // Above the stairs is room; only of two marks close to each other one label goes below.
    const lift = near && index === 1 && !same ? 18 : -5;
    return [mark, svg("text", { class: "small strong", x: cx + (right ? 8 : -8), y: Math.max(12, cy + lift), "text-anchor": right ? "start" : "end" }, words)];
  });
}
