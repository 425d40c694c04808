// Makes elements. Text from outside only ever becomes a text node or the value of an attribute: nothing is read as markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

/// Sets attributes and appends children. A function under `on…` listens; `null`, `undefined` and `false` set nothing.
function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "style") setStyle(node, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

function setStyle(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
}

function el(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return furnish(document.createElementNS(SVG_SPACE, tag), attributes, children);
}

/// Numbers that a `<defs>` or a label may refer to: several pictures are on a page.
let identities = 0;
function identity(stem) {
  identities += 1;
  return `${stem}-${identities}`;
}

/// A table in a frame that scrolls sideways on a narrow screen, also by keyboard.
function framed(label, table, kind = "") {
  return el("div", { class: `frame ${kind}`, role: "region", "aria-label": label, tabindex: "0" }, table);
}

/// A drop-down list of plain strings, or of pairs of a value and its words.
function choice(label, options, current, change) {
  const select = el("select", { onchange: () => change(select.value) });
  for (const option of options) {
    const [value, words] = Array.isArray(option) ? option : [option, option];
    select.append(el("option", { value, selected: value === current }, words));
  }
  return el("label", { class: "field" }, el("span", {}, label), select);
}

/// Buttons of which one is pressed.
function switcher(label, options, current, change) {
  const group = el("div", { class: "switcher", role: "group", "aria-label": label });
  const press = (value) => {
    for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.value === value));
  };
  for (const [value, words] of options) {
    const pick = () => {
      press(value);
      change(value);
    };
    group.append(el("button", { type: "button", "data-value": value, onclick: pick }, words));
  }
  press(current);
  return group;
}

/// Lets the keyboard walk over the items of a listbox: `where()` is the item now (or -1), `move` goes to one, `enter` opens it.
function walkable(box, { count, where, page, move, enter, leave }) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: page, PageUp: -page };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const now = where();
    const step = steps[event.key];
    if (step) move(Math.max(0, Math.min(count() - 1, now < 0 ? 0 : now + step)));
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(count() - 1);
    else if (event.key === "Enter" && now >= 0) enter(now);
    else if (event.key === "Escape" && leave) leave();
    else return;
    event.preventDefault();
  });
}

/// A text cut to a number of characters.
function cut(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
