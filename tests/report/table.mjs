// Checks of the table of kernels: each column sorts both ways as the data says, and filters show what they should.

const VERDICTS = ["faster", "changed", "unchanged", "declined"];

/// What a column sorts by, from the data.
function keyOf(column, { module, kernel }, arch) {
  const target = kernel.targets.find((each) => each.arch === arch);
  const version = target?.after ?? target?.before;
  if (column.startsWith("loads-")) return kernel.loads[column.slice(6)];
  switch (column) {
    case "kernel":
      return kernel.title.toLowerCase();
    case "verdict":
      return VERDICTS.indexOf(target?.verdict ?? kernel.verdict);
    case "module":
      return module.path;
    case "source":
      return kernel.position ? [module.sources[kernel.position.source].name, String(kernel.position.source_line).padStart(7, "0")].join(":") : null;
    case "ratio":
      return target?.ratio?.[0] ?? null;
    default:
      return version?.[column] ?? null;
  }
}

function inOrder(keys, down) {
  return keys.slice(1).every((key, index) => {
    const before = keys[index];
    if (key === null) return true;
    if (before === null) return false;
    const order = typeof key === "number" ? before - key : before.localeCompare(key, "en", { numeric: true });
    return down ? order >= 0 : order <= 0;
  });
}

const shownRows = (page) => page.$$eval("table.kernels tbody tr[data-index]", (rows) => rows.map((row) => Number(row.dataset.index)));

export async function tableSorts(page, data, checks, { show }) {
  await show(page, "");
  const arch = await page.evaluate(() => /sm_\w+/.exec(document.querySelector(".groups")?.textContent ?? "")?.[0] ?? null);
  const columns = await page.$$eval("[data-sort]", (buttons) => buttons.map((button) => button.dataset.sort));
  checks.expect(columns.length >= 11, `only ${columns.length} columns can be sorted`);
  const orders = new Set();
  for (const column of columns) {
    for (const direction of ["ascending", "descending"]) {
      // The keyboard as well as the mouse.
      if (direction === "ascending") await page.click(`[data-sort="${column}"]`);
      else await page.keyboard.press("Enter");
      const rows = await shownRows(page);
      orders.add(rows.join());
      const said = await page.$eval(`[data-sort="${column}"]`, (button) => button.closest("th").getAttribute("aria-sort"));
      checks.expect(said === direction, `${column}: aria-sort is ${said} instead of ${direction}`);
      checks.expect(rows.length === data.kernels.length, `${column}: ${rows.length} of ${data.kernels.length} rows`);
      const keys = rows.map((row) => keyOf(column, data.kernels[row], arch));
      checks.expect(inOrder(keys, direction === "descending"), `${column}, ${direction}: ${JSON.stringify(keys.slice(0, 20))}`);
    }
  }
  if (new Set(data.kernels.map((each) => each.kernel.title)).size > 1) checks.expect(orders.size > 1, "no sorting changes the order");
}

export async function tableFilters(page, data, checks, { show }) {
  await show(page, "");
  const box = "input[type=search]";
  const title = data.kernels.at(-1)?.kernel.title ?? "";
  const part = title.slice(0, 6).toLowerCase().trim();
  const words = ({ kernel, module }) => [kernel.title, kernel.name, module.path, kernel.position ? `${module.sources[kernel.position.source].name}:${kernel.position.source_line}` : ""].join("\n").toLowerCase();
  await page.fill(box, part);
  const rows = await shownRows(page);
  checks.expect(rows.includes(data.kernels.length - 1), `the filter ${JSON.stringify(part)} hides ${JSON.stringify(title)}`);
  for (const row of rows) checks.expect(part.split(/\s+/).every((each) => words(data.kernels[row]).includes(each)), `the filter ${JSON.stringify(part)} shows row ${row}`);
  await page.fill(box, "no kernel has such a name");
  checks.expect((await shownRows(page)).length === 0, "a filter that fits nothing shows something");
  await page.fill(box, "");
  checks.expect((await shownRows(page)).length === data.kernels.length, "without a filter rows are missing");
  const arch = data.report.arch;
  for (const verdict of VERDICTS) {
    await page.selectOption('label:has-text("Verdict") select', verdict);
    const of = ({ kernel }) => kernel.targets.find((each) => each.arch === arch)?.verdict ?? kernel.verdict;
    const wanted = data.kernels.filter((each) => of(each) === verdict).length;
    const found = (await shownRows(page)).length;
    checks.expect(found === wanted, `${verdict}: ${found} rows instead of ${wanted}`);
  }
  await page.selectOption('label:has-text("Verdict") select', "");
  await archsOf(page, data, checks);
}

/// Each architecture shows its own figures.
async function archsOf(page, data, checks) {
  const archs = new Set(data.kernels.flatMap((each) => each.kernel.targets.map((target) => target.arch)));
  for (const arch of archs) {
    await page.selectOption('label:has-text("Architecture") select', arch);
    for (const row of await shownRows(page)) {
      const target = data.kernels[row].kernel.targets.find((each) => each.arch === arch);
      const verdict = target?.verdict ?? data.kernels[row].kernel.verdict;
      const text = await page.textContent(`tr[data-index="${row}"] [data-column="verdict"]`);
      checks.expect(text.includes(verdict), `${arch}, row ${row}: ${text} instead of ${verdict}`);
      const ratio = await page.textContent(`tr[data-index="${row}"] [data-column="ratio"]`);
      checks.expect((ratio === "–") === !target?.ratio, `${arch}, row ${row}: ${ratio} of ${target?.ratio}`);
      const registers = await page.textContent(`tr[data-index="${row}"] [data-column="registers"]`);
      const last = (target?.after ?? target?.before)?.registers;
      if (last !== undefined) checks.expect(registers.endsWith(String(last)), `${arch}, row ${row}: ${registers} registers instead of ${last}`);
    }
  }
}
