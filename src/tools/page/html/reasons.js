// In words: why loads stay, what was remarked, and what the changes rest on.

function whyNotOf(entry) {
  const { why_not: reasons, more } = entry.kernel;
  if (!reasons.length && !more.length) return null;
  const options = more.map((each) => el("li", {}, ratioBar(each.ratio), ` ${ratioWords(each.ratio)} on ${each.arch}: `, prose(each.what)));
  return el("div", {}, more.length ? el("ul", { class: "plain more-options" }, options) : null, reasonsOf(entry, reasons));
}

function reasonsOf(entry, reasons) {
  if (!reasons.length) return null;
  const rows = reasons.map((reason) =>
    el(
      "tr",
      {},
      el("td", {}, reason.code ? el("code", {}, reason.code) : null),
      el("td", { class: "words" }, prose(reason.text), " ", reason.declined ? chip(["○", "proved, not known to pay", "warn"]) : null),
      el("td", { class: "number" }, figure(reason.lines.length)),
      el("td", {}, lineLinks(entry, reason.lines)),
      el("td", { class: "words" }, reason.lift ? prose(reason.lift) : el("span", { class: "muted" }, "nothing known")),
      el("td", { class: "words" }, reason.worth ? prose(reason.worth) : el("span", { class: "muted" }, "–")),
    ),
  );
  const names = [["Code"], ["Reason"], ["Loads", "number"], ["Lines"], ["What lifts it"], ["What that is worth"]];
  const head = el("tr", {}, names.map(([name, kind]) => el("th", { scope: "col", class: kind }, name)));
  const codes = reasons.some((reason) => reason.code) ? el("p", { class: "muted" }, el("code", {}, "ptxasw explain CODE"), " says more about a code.") : null;
  return el("div", {}, framed("Reasons", el("table", { class: "reasons" }, el("thead", {}, head), el("tbody", {}, rows))), codes);
}

function remarksOf(entry) {
  const { remarks } = entry.kernel;
  if (!remarks.length) return null;
  const list = el("ul", { class: "remarks plain" });
  const status = el("span", { role: "status", class: "muted" });
  const chosenRemarks = { done: "", pass: "" };
  const draw = () => {
    const fits = ({ done, pass }) => (!chosenRemarks.done || String(done) === chosenRemarks.done) && (!chosenRemarks.pass || pass === chosenRemarks.pass);
    const shown = remarks.filter(fits);
    list.replaceChildren(...shown.map((remark) => remarkItem(entry, remark)));
    status.textContent = `${shown.length} of ${plural(remarks.length, "remark")}`;
  };
  const set = (field) => (value) => {
    chosenRemarks[field] = value;
    draw();
  };
  const passes = [...new Set(remarks.map((remark) => remark.pass))].sort();
  draw();
  return el(
    "div",
    {},
    el(
      "div",
      { class: "controls" },
      switcher("Remarks", [["", "all"], ["true", "done"], ["false", "not done"]], "", set("done")),
      passes.length > 1 ? choice("Pass", [["", "all"], ...passes], "", set("pass")) : null,
      status,
    ),
    list,
  );
}

function remarkItem(entry, remark) {
  const lines = [remark.line, remark.other].filter(Boolean);
  return el(
    "li",
    { "data-done": String(remark.done) },
    remark.done ? chip(["✓", "done", "good"]) : chip(["○", "not done", "plain"]),
    el(
      "div",
      {},
      el("span", { class: "muted" }, lines.length ? "line " : "the kernel ", lines.length ? [lineLink(entry, remark.line || remark.other), remark.line && remark.other ? [", see line ", lineLink(entry, remark.other)] : null] : null, " · "),
      el("code", {}, `${remark.pass}/${remark.name}`),
      el("p", {}, prose(remark.message)),
      remark.lift ? el("p", { class: "lift" }, el("b", {}, "Lifted by: "), prose(remark.lift)) : null,
    ),
  );
}

function evidenceOf(entry) {
  const { claims, questions, compared } = entry.kernel.evidence;
  if (!claims.length && !questions.length && !compared) return null;
  const counts = questions.filter((question) => question.count > 0);
  return el(
    "div",
    {},
    claims.length ? claimTable(entry, claims) : el("p", { class: "muted" }, "No change of this kernel needs a proof."),
    counts.length ? el("div", {}, el("h3", {}, "Questions, by what decided them"), el("dl", { class: "figures" }, counts.map((each) => el("div", {}, el("dt", {}, each.name), el("dd", {}, figure(each.count)))))) : null,
    el("p", {}, el("b", {}, "Compared by execution: "), compared ? prose(compared) : "not asked for"),
  );
}

function claimTable(entry, claims) {
  const rows = claims.map((claim) =>
    el("tr", {}, el("td", {}, el("code", {}, claim.pass)), el("td", { class: "words" }, prose(claim.what)), el("td", { class: "words" }, prose(claim.how)), el("td", {}, lineLinks(entry, claim.lines))),
  );
  const head = el("tr", {}, ["Pass", "Claim", "Shown by", "Lines"].map((name) => el("th", { scope: "col" }, name)));
  return framed("Claims", el("table", { class: "reasons" }, el("thead", {}, head), el("tbody", {}, rows)));
}
