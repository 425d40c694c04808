// Checks of the columns of code: what belongs together lights up together, links draw arrows, and changes are marked.

const litIn = (page, column) => page.$$eval(`[data-column="${column}"] .l.lit`, (lines) => lines.map((line) => Number(line.dataset.line)));

export async function codeInStep(page, data, checks, { show }) {
  for (const each of data.kernels) {
    const { kernel, module, hash } = each;
    const line = kernel.links[0]?.destination ?? kernel.before[0]?.line ?? kernel.input[0];
    await show(page, `${hash}/L${line}`);
    const before = await page.waitForSelector(`#before-${line}.lit`, { timeout: 5000 }).catch(() => null);
    if (!checks.expect(before, `${hash}/L${line} does not light the line`)) continue;
    await litTogether(page, checks, each, line);
    if (kernel.links.length) await linkArrow(page, checks, `${hash}/L${line}`, kernel.links.filter((link) => link.source === line || link.destination === line));
    const inView = await page.$eval(`#before-${line}`, (node) => {
      const [box, frame] = [node.getBoundingClientRect(), node.closest(".scroller").getBoundingClientRect()];
      return box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    });
    checks.expect(inView, `${hash}/L${line}: the line is not scrolled into view`);
    const made = await page.$$eval(".l", (lines) => lines.length);
    checks.expect(made < 6000, `${hash}: ${made} lines are made at once`);
    await hovering(page, checks, hash, kernel, line);
  }
}

/// The other columns light up what the data says.
async function litTogether(page, checks, { kernel, module, hash }, line) {
  if (await page.$('[data-column="after"]')) {
    const wanted = module.output_lines.map((from, index) => (from === line ? index + 1 : 0)).filter((to) => to >= kernel.output[0] && to <= kernel.output[1]);
    const found = await litIn(page, "after");
    checks.expect(found.join() === wanted.join(), `${hash}/L${line}: lines ${found} of the output light up instead of ${wanted}`);
  }
  const inForce = module.positions.filter((position) => position.line >= kernel.input[0] && position.line <= line).at(-1);
  if (inForce && module.sources[inForce.source].text && (await page.$('[data-column="source"]'))) {
    const found = await litIn(page, "source");
    const shown = await page.$eval('[data-column="source"]', (node) => node.querySelector("select")?.value ?? null);
    if (shown === null || Number(shown) === inForce.source) checks.expect(found.includes(inForce.source_line), `${hash}/L${line}: source lines ${found} instead of ${inForce.source_line}`);
  }
}

/// An arrow in the gutter goes from the middle of a line to the middle of another one.
async function linkArrow(page, checks, what, links) {
  const ends = await page.$$eval('[data-column="before"] .arrows path:not(.tip)', (paths) =>
    paths.map((path) => {
      const at = (length) => path.getPointAtLength(length).matrixTransform(path.getScreenCTM()).y;
      return [at(0), at(path.getTotalLength())];
    }),
  );
  const middle = (line) => page.$eval(`#before-${line}`, (node) => node.getBoundingClientRect().top + node.getBoundingClientRect().height / 2).catch(() => null);
  for (const link of links.slice(0, 5)) {
    const [from, to] = [await middle(link.source), await middle(link.destination)];
    if (from === null || to === null || link.source === link.destination) continue;
    checks.expect(ends.some(([start, end]) => Math.abs(start - from) < 1 && Math.abs(end - to) < 1), `${what}: no arrow from line ${link.source} to line ${link.destination}`);
  }
}

/// The line under the pointer lights up, and without the pointer the one that was chosen.
async function hovering(page, checks, hash, kernel, chosen) {
  const first = kernel.input[0];
  if (chosen === first) return;
  const other = await page.waitForSelector(`#before-${first}`, { timeout: 5000 });
  await other.scrollIntoViewIfNeeded();
  await other.hover();
  checks.expect((await litIn(page, "before")).includes(first), `${hash}: the line under the pointer does not light up`);
  await page.hover("h1");
  const after = await litIn(page, "before");
  checks.expect(after.includes(chosen), `${hash}: the chosen line is not lit when the pointer is gone`);
}

export async function goneAndNew(page, data, checks, { show }) {
  for (const { kernel, module, hash } of data.kernels.filter((each) => ["faster", "changed"].includes(each.kernel.verdict) && each.module.output !== null)) {
    await show(page, hash);
    const [input, output] = [module.input.split("\n"), module.output.split("\n")];
    linesMatch(checks, hash, kernel, module, input, output);
    const marked = (column, mark) => page.$$eval(`[data-column="${column}"] .l.${mark}`, (lines) => lines.map((line) => Number(line.dataset.line)));
    const news = await marked("after", "new");
    for (const line of news) {
      const from = module.output_lines[line - 1];
      checks.expect(from === 0 || input[from - 1].trim() !== output[line - 1].trim(), `${hash}: line ${line} of the output is not new`);
    }
    const made = await page.$$eval('[data-column="after"] .l', (lines) => lines.map((line) => Number(line.dataset.line)));
    const missing = made.filter((line) => module.output_lines[line - 1] === 0 && !news.includes(line));
    checks.expect(!missing.length, `${hash}: lines ${missing.slice(0, 5)} of the output are new, and not marked`);
    const kept = new Set(module.output_lines);
    for (const line of await marked("before", "gone")) checks.expect(!kept.has(line), `${hash}: line ${line} of the input is marked as removed, and is there`);
  }
}

/// Lines that occur once before and once after, with the same text, should be recognised as the same.
function linesMatch(checks, hash, kernel, module, input, output) {
  const once = (lines, [first, last]) => {
    const found = new Map();
    for (let line = first; line <= last; line += 1) {
      const text = lines[line - 1].trim();
      found.set(text, found.has(text) ? 0 : line);
    }
    return found;
  };
  const before = once(input, kernel.input);
  const pairs = [...once(output, kernel.output)].filter(([text, line]) => text && line && before.get(text));
  const wrong = pairs.filter(([text, line]) => module.output_lines[line - 1] !== before.get(text));
  const [text, line] = wrong[0] ?? [];
  checks.expect(wrong.length <= pairs.length / 10, `${hash}: output_lines is wrong for ${wrong.length} of ${pairs.length} lines that stayed, such as ${line}, ${JSON.stringify(text)}: ${module.output_lines[line - 1]} instead of ${before.get(text)}`);
}
