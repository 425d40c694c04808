// Numbers and results as the report says them: chips, changes, ratios with their range.

const VERDICTS = {
  faster: ["▲", "faster", "good"],
  changed: ["✓", "changed", "plain"],
  unchanged: ["–", "unchanged", "plain"],
  declined: ["⊘", "declined", "plain"],
};

/// What became of loads and stores, in the order of the bars.
const FATES = [
  ["removed", "removed", "a register has the value already, or another store overwrites it"],
  ["shuffled", "shuffled", "became a shuffle"],
  ["widened", "widened", "part of a wider access"],
  ["moved", "moved", "moved up"],
  ["other", "changed otherwise", "has a known state space, or goes through the non-coherent path"],
  ["declined", "declined", "could become a shuffle, and is not known to pay"],
  ["kept", "kept", "stays as it is"],
];

function chip([sign, words, tone]) {
  return el("span", { class: `chip ${tone}` }, el("span", { "aria-hidden": "true" }, sign), ` ${words}`);
}

/// With separators, and without digits that nobody reads.
function figure(value) {
  if (value === null || value === undefined) return "–";
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function percent(share) {
  return share > 0 && share < 0.005 ? "<1 %" : `${Math.round(share * 100)} %`;
}

function plural(count, one, many = `${one}s`) {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/// A sentence in which `backticks` stand around code.
function prose(text) {
  return text.split("`").map((part, index, all) => (index % 2 && index < all.length - 1 ? el("code", {}, part) : index % 2 ? `\`${part}` : part));
}

/// A figure before and after: `41 → 36`, or one number where both are the same.
function change(before, after) {
  if (before === null || before === undefined) return "–";
  if (after === null || after === undefined || after === before) return figure(before);
  return `${figure(before)} → ${figure(after)}`;
}

/// `1.12 (1.04–1.19)`; with a digit more where two digits would hide on which side of 1 it is.
function ratioWords(ratio) {
  const digits = ratio.some((each) => each !== 1 && Math.abs(each - 1) < 0.005) ? 3 : 2;
  const [point, low, high] = ratio.map((each) => each.toFixed(digits));
  return `${point} (${low}–${high})`;
}

/// The range of a ratio as an interval around 1. Its logarithm is compressed, so that 1.05 and 5 both have room.
function ratioBar(ratio, width = 72) {
  const at = (value) => {
    const far = Math.log(value);
    return width / 2 + (far / (Math.abs(far) + 0.2)) * (width / 2 - 3);
  };
  const [point, low, high] = ratio.map(at);
  const tone = ratio[1] > 1 ? "good" : ratio[2] < 1 ? "bad" : "plain";
  return svg(
    "svg",
    { class: `ratio ${tone}`, width, height: 16, viewBox: `0 0 ${width} 16`, "aria-hidden": "true" },
    svg("line", { class: "rail", x1: 4, x2: width - 4, y1: 8, y2: 8 }),
    svg("line", { class: "one", x1: at(1), x2: at(1), y1: 1, y2: 15 }),
    svg("rect", { class: "range", x: low, y: 5, width: Math.max(2, high - low), height: 6, rx: 2 }),
    svg("line", { class: "point", x1: point, x2: point, y1: 3, y2: 13 }),
  );
}

/// A bar of parts with a legend that says the same in words: `[[name, count, title]]`.
function partBar(label, parts) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const shown = parts.filter((part) => part.count > 0);
  const bar = el("div", { class: "bar", "aria-hidden": "true" });
  for (const part of shown) bar.append(el("span", { class: `part ${part.kind}`, style: { "flex-grow": part.count }, title: part.words }));
  const legend = el("ul", { class: "legend", "aria-label": label });
  for (const part of total ? shown : []) {
    legend.append(el("li", { title: part.title }, el("span", { class: `swatch ${part.kind}` }), el("b", {}, figure(part.count)), ` ${part.words}`));
  }
  return el("div", { class: "parts" }, total ? bar : null, legend);
}

/// A link to a line of the PTX of a kernel.
function lineLink(entry, line) {
  return line ? el("a", { class: "line", href: `${entry.hash}/L${line}` }, String(line)) : null;
}

/// Many lines: the first ones, and the rest behind a button.
function lineLinks(entry, lines, most = 12) {
  const list = el("span", { class: "lines" });
  const add = (some) => some.forEach((line) => list.append(lineLink(entry, line), " "));
  add(lines.slice(0, most));
  if (lines.length > most) {
    const more = el("button", { type: "button", class: "quiet more" }, `${lines.length - most} more`);
    more.addEventListener("click", () => {
      const next = list.children[most];
      more.remove();
      add(lines.slice(most));
      (list.children[most] ?? next).focus();
    });
    list.append(more);
  }
  return list;
}
