// Source, PTX before, PTX after and machine code side by side. The line under the pointer lights up in all of them.

/// Height of a line in pixels: the style sheet takes it from here, arrows and scrolling count with it.
const LINE = 18;
/// Lines are made in blocks of this many, when they come near the screen: a kernel may have thousands.
const BLOCK = 100;
/// Tabs of PTX are cut to this many characters, so that operands stay in sight.
const TAB = 2;

const SIGNS = { gone: "−", new: "+", edited: "~", moved: "↕" };
const SIGN_WORDS = { gone: "removed", new: "new", edited: "changed", moved: "moved" };

/// A text of many lines in its own scrolling box. `first` is the number of its first line.
class Column {
  constructor({ id, title, note, first, texts, number, marks, kinds, linked, tools, tab }) {
    Object.assign(this, { id, first, texts, number, marks: marks ?? new Map(), kinds: kinds ?? new Map(), linked: linked ?? new Set() });
    this.tab = tab ?? TAB;
    this.lit = new Map();
    this.current = -1;
    this.sheet = el("div", { class: "sheet", role: "presentation" });
    this.arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
    this.box = el("div", { class: "scroller", role: "listbox", tabindex: "0", "aria-label": title }, this.sheet);
    const head = el("div", { class: "column-head" }, el("h3", {}, title), el("span", { class: "muted" }, note), tools);
    this.node = el("div", { class: "column", "data-column": id }, head, this.box);
    this.layOut();
  }

  layOut() {
    const widest = this.texts.reduce((most, text) => Math.max(most, columnsOf(text, this.tab)), 0);
    // The longest number, a space, and the sign.
    const gutter = Math.max(3, this.number ? 4 : String(this.first + this.texts.length).length) + 2.5;
    const width = `max(100%, calc(${widest + gutter + 1}ch + 30px))`;
    setStyle(this.sheet, { height: `${this.texts.length * LINE}px`, width, "--line": `${LINE}px`, "--gutter": `${gutter}ch`, "tab-size": this.tab });
    this.blocks = [];
    for (let start = 0; start < this.texts.length; start += BLOCK) {
      const size = Math.min(BLOCK, this.texts.length - start);
      const node = el("div", { class: "block", role: "presentation", "data-block": this.blocks.length, style: { height: `${size * LINE}px` } });
      this.blocks.push({ node, start, size, full: false });
      this.sheet.append(node);
    }
    this.sheet.append(this.arrows);
    this.fillBlock(0);
    const watch = new IntersectionObserver(
      (seen) => seen.filter((each) => each.isIntersecting).forEach((each) => this.fillBlock(Number(each.target.dataset.block))),
      { root: this.box, rootMargin: "1500px 0px" },
    );
    this.blocks.forEach((block) => watch.observe(block.node));
  }

  fillBlock(index) {
    const block = this.blocks[index];
    if (!block || block.full) return;
    block.full = true;
    for (let row = block.start; row < block.start + block.size; row += 1) block.node.append(this.lineAt(row));
  }

  lineAt(row) {
    const line = this.first + row;
    const mark = this.marks.get(line);
    const kind = this.kinds.get(line);
    const lit = this.lit.get(line);
    const label = this.number ? this.number(row) : String(line);
    const classes = ["l", mark, kind && `k k-${kind}`, this.linked.has(line) && "linked", lit].filter(Boolean).join(" ");
    const [text, comment] = splitComment(this.texts[row].trim() ? this.texts[row] : "");
    return el(
      "div",
      { class: classes, role: "option", id: `${this.id}-${line}`, "data-line": line, "data-label": `${label} ${SIGNS[mark] ?? " "}`, title: SIGN_WORDS[mark], "aria-label": text || comment ? null : "empty line" },
      text,
      comment ? el("span", { class: "comment" }, comment) : null,
    );
  }

  has(line) {
    return line >= this.first && line < this.first + this.texts.length;
  }

  /// The element of a line, if it is made.
  find(line) {
    const block = this.blocks[Math.floor((line - this.first) / BLOCK)];
    return block?.full ? block.node.children[line - this.first - block.start] : null;
  }

  light(lines, kind) {
    for (const line of lines) {
      if (!this.has(line) || this.lit.has(line)) continue;
      this.lit.set(line, kind);
      this.find(line)?.classList.add(kind);
    }
  }

  dark() {
    for (const [line, kind] of this.lit) this.find(line)?.classList.remove(kind);
    this.lit.clear();
    this.arrows.replaceChildren();
  }

  /// Scrolls so that a line is in view, in the middle if it was not.
  reveal(line) {
    const top = (line - this.first) * LINE;
    const { scrollTop, clientHeight } = this.box;
    if (top >= scrollTop && top + 2 * LINE <= scrollTop + clientHeight) return;
    this.box.scrollTop = top - clientHeight / 2;
  }

  setCurrent(line) {
    this.fillBlock(Math.floor((line - this.first) / BLOCK));
    this.find(this.current)?.classList.remove("current");
    this.current = line;
    this.find(line)?.classList.add("current");
    this.box.setAttribute("aria-activedescendant", `${this.id}-${line}`);
  }

  /// An arrow in the gutter, from one line to another.
  arrow(from, to, index) {
    if (from === to || !this.has(from) || !this.has(to)) return;
    const [start, end] = [from, to].map((line) => (line - this.first + 0.5) * LINE);
    const left = 4 + (index % 3) * 4;
    const path = `M22 ${start} C${left} ${start} ${left} ${start} ${left} ${start + Math.sign(end - start) * 12} L${left} ${end - Math.sign(end - start) * 12} C${left} ${end} ${left} ${end} 17 ${end}`;
    this.arrows.append(
      svg("circle", { cx: 22, cy: start, r: 2.5 }),
      svg("path", { d: path }),
      svg("path", { class: "tip", d: `M16 ${end - 4} L23 ${end} L16 ${end + 4} Z` }),
    );
  }
}

/// The section: which columns there are, what lights up, and the machine code that is shown.
class CodeView {
  constructor(entry) {
    this.entry = entry;
    this.lines = new KernelLines(entry.module, entry.kernel);
    this.columns = new Map();
    this.version = "after";
    this.pinned = null;
    this.place = el("div", { class: "columns" });
    this.said = el("p", { class: "link-note", role: "status" });
    this.tools = el("div", { class: "controls" });
    this.addSource();
    this.addPtx();
    this.addCode();
    this.node = el("div", { class: "code-view" }, this.tools, this.said, this.place, this.forPaper());
    // Short kernels leave no empty boxes.
    setStyle(this.place, { "--longest": `${Math.max(...[...this.columns.values()].map((column) => column.texts.length)) * LINE}px` });
    this.drawTools();
    this.say(null, []);
  }

  add(column) {
    const old = this.columns.get(column.id);
    this.columns.set(column.id, column);
    if (old) old.node.replaceWith(column.node);
    else this.place.append(column.node);
    this.listen(column);
  }

  /// The source that the kernel is in, or another one that its lines come from.
  addSource(wanted) {
    const { sources } = this.entry.module;
    const all = this.lines.sources();
    if (!all.length) return;
    this.source = wanted ?? all[0];
    const options = all.map((source) => [String(source), baseName(sources[source].name)]);
    const texts = sources[this.source].text.replace(/\r/g, "").split("\n");
    const tools = options.length > 1 ? choice("File", options, String(this.source), (value) => this.addSource(Number(value))) : null;
    this.add(new Column({ id: "source", title: "Source", note: tools ? "" : options[0][1], first: 1, texts, tools, tab: 4 }));
    if (this.pinned) this.show(this.pinned);
  }

  addPtx() {
    const { kernel } = this.entry;
    const marks = this.lines.marks();
    const kinds = (accesses) => new Map(accesses.map((access) => [access.line, access.kind]));
    const linked = new Set(kernel.links.flatMap((link) => [link.source, link.destination]));
    const ptx = (id, title, [first, last], text, list, more) => {
      const texts = text.slice(first - 1, last);
      this.add(new Column({ id, title, note: `lines ${first}–${last}`, first, texts, marks: marks[id], kinds: kinds(list), ...more }));
    };
    ptx("before", this.lines.changed ? "PTX before" : "PTX, not changed", kernel.input, this.lines.input, kernel.before, { linked });
    if (this.lines.changed) ptx("after", "PTX after", kernel.output, this.lines.output, kernel.after, {});
  }

  /// Machine code of the chosen architecture; of the first one that has some, if it has none.
  addCode() {
    const { kernel } = this.entry;
    const having = kernel.targets.filter((target) => target.before?.code.length || target.after?.code.length);
    const target = having.find((each) => each.arch === page.arch) ?? having[0];
    if (!target) return;
    const versions = ["before", "after"].filter((version) => target[version]?.code.length);
    const version = versions.includes(this.version) ? this.version : versions[0];
    const list = target[version].code;
    this.code = { list, after: version === "after" };
    const pick = (set) => (value) => {
      set(value);
      this.addCode();
    };
    const tools = [
      having.length > 1 ? choice("For", having.map((each) => each.arch), target.arch, pick((value) => (page.arch = value))) : el("span", { class: "muted" }, target.arch),
      versions.length > 1 ? switcher("Machine code", [["before", "before"], ["after", "after"]], version, pick((value) => (this.version = value))) : null,
    ];
    const number = (row) => list[row].at.toString(16).padStart(4, "0");
    this.add(new Column({ id: "code", title: "Machine code", first: 1, texts: list.map((each) => each.text), number, tools }));
    if (this.pinned) this.show(this.pinned);
  }

  listen(column) {
    const lineOf = (event) => Number(event.target.closest?.(".l")?.dataset.line ?? 0);
    let under = 0;
    column.box.addEventListener("mousemove", (event) => {
      // Scrolling under a pointer that rests is no pointing.
      if (!(event.movementX || event.movementY) || lineOf(event) === under) return;
      under = lineOf(event);
      if (under) this.show({ column: column.id, line: under });
    });
    column.box.addEventListener("mouseleave", () => {
      if (under) this.show(this.pinned);
      under = 0;
    });
    column.box.addEventListener("click", (event) => lineOf(event) && this.pin(column.id, lineOf(event)));
    column.box.addEventListener("focus", () => column.current >= 0 && this.show({ column: column.id, line: column.current }));
    walkable(column.box, {
      count: () => column.texts.length,
      where: () => (column.current < 0 ? -1 : column.current - column.first),
      page: 20,
      move: (row) => {
        column.setCurrent(column.first + row);
        column.reveal(column.current);
        this.show({ column: column.id, line: column.current });
      },
      enter: () => this.pin(column.id, column.current),
      leave: () => this.pin(null),
    });
  }

  /// Keeps a line lit, and scrolls the other columns to what belongs to it.
  pin(id, line) {
    this.pinned = id ? { column: id, line } : null;
    this.columns.get(id)?.setCurrent(line);
    const lit = this.show(this.pinned);
    for (const column of lit ? this.columns.values() : []) {
      if (column.id === id) column.reveal(line);
      else if (lit[column.id].size) column.reveal(Math.min(...lit[column.id]));
    }
  }

  /// Lights up what belongs to a line, and what a link connects it with.
  show(spot) {
    for (const column of this.columns.values()) column.dark();
    if (!spot || !this.columns.has(spot.column)) {
      this.say(null, []);
      return null;
    }
    const line = spot.column === "source" ? placeKey(this.source, spot.line) : spot.line;
    const lit = this.onScreen(this.lines.together(spot.column, line, this.code));
    if (spot.column === "source") lit.source.add(spot.line);
    const links = this.entry.kernel.links.filter((link) => lit.before.has(link.source) || lit.before.has(link.destination)).slice(0, 40);
    for (const column of this.columns.values()) column.light(lit[column.id], "lit");
    links.forEach((link, index) => this.connect(link, index));
    this.say(spot, links);
    return lit;
  }

  /// Places of the source become lines of the file that is shown.
  onScreen(lit) {
    const shown = [...lit.source].map((place) => place.split(":").map(Number)).filter(([source]) => source === this.source);
    return { ...lit, source: new Set(shown.map(([, line]) => line)) };
  }

  connect(link, index) {
    const [from, to] = [link.source, link.destination].map((line) => this.onScreen(this.lines.together("before", line, this.code)));
    for (const column of this.columns.values()) {
      // Of several, as in a clone of the loop, the nearest pair.
      const b = [...to[column.id]].find((line) => column.has(line));
      const a = [...from[column.id]].filter((line) => column.has(line)).sort((x, y) => Math.abs(x - b) - Math.abs(y - b))[0];
      column.light([...from[column.id], ...to[column.id]], "partner");
      if (a !== undefined && b !== undefined) column.arrow(a, b, index);
    }
  }

  say(spot, links) {
    const words = links.slice(0, 3).map((link) => {
      const lanes = link.lanes ? ` of lane ${link.lanes.replace(/^lane /, "")}` : "";
      return `line ${link.destination} takes the value${lanes} from line ${link.source}: ${link.what}`;
    });
    if (links.length > 3) words.push(`${links.length - 3} more`);
    const idle = "Point at a line, or go to one with the arrow keys. Enter scrolls the other columns to it.";
    this.said.textContent = words.join("; ") || (spot ? " " : idle);
  }

  /// Which columns are shown.
  drawTools() {
    const group = el("div", { class: "switcher", role: "group", "aria-label": "Columns" });
    for (const id of this.columns.keys()) {
      const words = this.columns.get(id).node.querySelector("h3").textContent;
      const button = el("button", { type: "button", "aria-pressed": "true" }, words);
      button.addEventListener("click", () => {
        const { node } = this.columns.get(id);
        node.hidden = !node.hidden;
        button.setAttribute("aria-pressed", String(!node.hidden));
      });
      group.append(button);
    }
    const legend = el("span", { class: "muted sign-legend" });
    for (const [mark, sign] of Object.entries(SIGNS)) legend.append(el("span", { class: mark }, `${sign} ${SIGN_WORDS[mark]}`));
    this.tools.append(group, this.lines.changed ? legend : "");
  }

  /// Print replaces the columns by a list of the changes.
  forPaper() {
    const listing = this.lines.changed ? changedLines(this.lines) : [];
    if (!listing.length) return el("p", { class: "paper" }, "The PTX of this kernel is not changed.");
    const rows = listing.map((row) => (row ? `${row[0]} ${String(row[1]).padStart(6)}  ${row[2]}` : "        …"));
    return el("pre", { class: "paper", tabindex: "0", "aria-label": "Changes" }, rows.join("\n"));
  }
}
