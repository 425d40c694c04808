// Starts the page, and shows what the address asks for: `#` the table, `#k/MODULE/KERNEL` a kernel, and behind that a section
// or a line (`/L41`).

const shown = { hash: null, view: null };

function overview() {
  const { report } = page;
  return [headOf(report), tableOf(), buildOf(report.build), modulesOf(report.modules)];
}

/// Takes the address apart; what it does not know is the table.
function wanted() {
  const [kind, m, k, rest] = location.hash.slice(1).split("/");
  const entry = kind === "k" ? page.kernels.find((each) => each.hash === `#k/${m}/${k}`) : null;
  return { entry: entry ?? null, rest: rest ?? "" };
}

function route(first) {
  const { entry, rest } = wanted();
  const main = document.getElementById("main");
  const hash = entry ? entry.hash : "";
  if (hash !== shown.hash) {
    const built = entry ? kernelPage(entry) : null;
    main.replaceChildren(...(built ? [built.node] : overview().filter(Boolean)));
    shown.view = built?.view ?? null;
    shown.hash = hash;
    document.title = entry ? `${entry.kernel.title} – ptxasw report` : "ptxasw report";
    scrollTo(0, 0);
    arrive(main, entry, first);
  }
  if (rest) goTo(rest);
}

/// The focus goes to the heading; on the way back to the kernel that one came from.
function arrive(main, entry, first) {
  const last = tableState.last;
  tableState.last = entry ? entry.index : null;
  const row = entry || last === null ? null : main.querySelector(`tr[data-index="${last}"] a`);
  if (row) row.focus();
  else if (!first) main.querySelector("h1").focus({ preventScroll: true });
}

function goTo(rest) {
  const line = /^L(\d+)$/.exec(rest);
  const section = document.getElementById(`section-${line ? "code" : rest}`);
  if (!section) return;
  section.scrollIntoView({ block: "start" });
  if (line && shown.view?.columns.get("before").has(Number(line[1]))) {
    shown.view.pin("before", Number(line[1]));
    shown.view.columns.get("before").box.focus({ preventScroll: true });
  } else section.focus({ preventScroll: true });
}

async function start() {
  startTheme();
  const main = document.getElementById("main");
  document.querySelector(".skip").addEventListener("click", (event) => {
    // The address names the view: it is not for jumps inside.
    event.preventDefault();
    main.focus();
  });
  try {
    openReport(await readPayload());
  } catch (error) {
    main.replaceChildren(el("p", { class: "notice" }, `The data of this report cannot be read: ${error.message}. A newer browser may help.`));
    return;
  }
  document.getElementById("version").textContent = page.report.version;
  addEventListener("hashchange", () => route(false));
  document.addEventListener("click", (event) => {
    // A link to where one is already, but scrolled away from.
    if (event.target.closest?.("a")?.getAttribute("href") === location.hash) route(false);
  });
  route(true);
  document.documentElement.dataset.ready = "true";
}

start();
