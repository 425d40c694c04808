// Which lines of source, PTX before, PTX after and machine code belong together. No elements here: only numbers.

/// The lines of one kernel. Lines of the input are what all columns have in common.
class KernelLines {
  constructor(module, kernel) {
    this.module = module;
    this.kernel = kernel;
    this.input = module.input.split("\n");
    this.output = module.output === null ? null : module.output.split("\n");
    this.outputsOf = new Map();
    this.inputsOf = new Map();
    this.placeOf = new Map();
    this.readPositions();
    this.readOutput();
  }

  /// Walks over the kernel with the position in force at each line.
  readPositions() {
    const [first, last] = this.kernel.input;
    const inside = this.module.positions.filter(({ line }) => line >= first && line <= last).sort((a, b) => a.line - b.line);
    inside.forEach((position, index) => {
      if (!position.source_line) return;
      const end = index + 1 < inside.length ? inside[index + 1].line : last + 1;
      const place = placeKey(position.source, position.source_line);
      for (let line = position.line; line < end; line += 1) {
        this.placeOf.set(line, place);
        pushTo(this.inputsOf, place, line);
      }
    });
  }

  /// Sources with a text that lines of the kernel come from: that of its head first, then by how many lines.
  sources() {
    const { module, kernel } = this;
    const counts = new Map();
    const count = (source, lines) => counts.set(source, (counts.get(source) ?? 0) + lines);
    if (kernel.position) count(kernel.position.source, Infinity);
    for (const [place, lines] of this.inputsOf) count(Number(place.split(":")[0]), lines.length);
    const known = [...counts].filter(([source]) => typeof module.sources[source]?.text === "string");
    return known.sort((a, b) => (b[1] > a[1]) - (b[1] < a[1])).map(([source]) => source);
  }

  readOutput() {
    if (!this.output) return;
    const [first, last] = this.kernel.output;
    for (let line = first; line <= last; line += 1) {
      const from = this.inputFor(line);
      if (from) pushTo(this.outputsOf, from, line);
    }
  }

  /// The input line that an output line maps to, or 0.
  inputFor(line) {
    return this.module.output_lines[line - 1] ?? 0;
  }

  /// Whether the kernel looks different in the output.
  get changed() {
    return this.output !== null && this.marks().after.size + this.marks().before.size > 0;
  }

  /// What became of each line: `gone`, `new`, `edited` or `moved`, by line of the input and of the output.
  marks() {
    if (this.known) return this.known;
    const before = new Map();
    const after = new Map();
    if (this.output) this.compare(before, after);
    this.known = { before, after };
    return this.known;
  }

  compare(before, after) {
    const same = [];
    const others = [];
    for (let line = this.kernel.output[0]; line <= this.kernel.output[1]; line += 1) {
      const from = this.inputFor(line);
      if (from && this.input[from - 1].trim() === this.output[line - 1].trim()) same.push([from, line]);
      else others.push([from, line]);
    }
    const kept = new Set(same.map(([from]) => from));
    // An inserted line maps to the line at its insertion point, which is also still there.
    for (const [from, line] of others) after.set(line, from && !kept.has(from) ? "edited" : "new");
    const inOrder = longestRise(same.map(([from]) => from));
    same.forEach(([from, line], index) => {
      if (inOrder.has(index)) return;
      after.set(line, "moved");
      before.set(from, "moved");
    });
    for (let line = this.kernel.input[0]; line <= this.kernel.input[1]; line += 1) {
      if (!this.outputsOf.has(line)) before.set(line, "gone");
      else if (!kept.has(line)) before.set(line, "edited");
    }
  }

  /// All that belongs to a line of a column, by column. `code` is the machine code that is shown, and whether it is the new one.
  together(column, line, code) {
    const inputs = this.inputsAt(column, line, code);
    const outputs = new Set(inputs.flatMap((input) => this.outputsOf.get(input) ?? []));
    if (column === "after") outputs.add(line);
    if (column === "code" && code.after && code.list[line - 1].line) outputs.add(code.list[line - 1].line);
    const instructions = new Set();
    const wanted = code?.after && this.output ? outputs : new Set(inputs);
    code?.list.forEach((instruction, index) => {
      if (wanted.has(instruction.line)) instructions.add(index + 1);
    });
    if (column === "code") instructions.add(line);
    const places = new Set(inputs.map((input) => this.placeOf.get(input)).filter(Boolean));
    return { before: new Set(inputs), after: outputs, code: instructions, source: places };
  }

  inputsAt(column, line, code) {
    if (column === "before") return [line];
    if (column === "source") return this.inputsOf.get(line) ?? [];
    const found = column === "code" ? code.list[line - 1].line : line;
    const input = column === "after" || (code.after && this.output) ? this.inputFor(found) : found;
    return input ? [input] : [];
  }
}

function placeKey(source, line) {
  return `${source}:${line}`;
}

function pushTo(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/// Indices of a longest strictly rising subsequence (patience sorting): what is not in it has changed its place.
function longestRise(numbers) {
  const tails = [];
  const previous = [];
  numbers.forEach((number, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[tails[middle]] < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low ? tails[low - 1] : -1;
    tails[low] = index;
  });
  const rise = new Set();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]) rise.add(index);
  return rise;
}

/// Changed lines with two lines around them, for paper: `[sign, line, text]`, and `null` where lines are left out.
function changedLines(lines, most = 400) {
  const marks = lines.marks();
  const listing = [];
  let last = 0;
  const near = (line) => [-2, -1, 0, 1, 2].some((step) => marks.after.has(line + step));
  const gone = [...marks.before].filter(([, mark]) => mark === "gone").map(([line]) => line);
  for (let line = lines.kernel.output[0]; line <= lines.kernel.output[1] && listing.length < most; line += 1) {
    const from = lines.inputFor(line);
    while (gone.length && from && gone[0] < from) {
      const removed = gone.shift();
      listing.push(["−", removed, lines.input[removed - 1]]);
      last = line - 1;
    }
    if (!near(line)) continue;
    if (last && line > last + 1) listing.push(null);
    listing.push([{ new: "+", edited: "~", moved: "↕" }[marks.after.get(line)] ?? " ", line, lines.output[line - 1]]);
    last = line;
  }
  return listing;
}

/// Width in characters, with the tabs of PTX.
function columnsOf(text, tab) {
  let width = 0;
  for (const character of text) width += character === "\t" ? tab - (width % tab) : 1;
  return width;
}

/// A statement and the comment behind it.
function splitComment(text) {
  const at = text.indexOf("//");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}
