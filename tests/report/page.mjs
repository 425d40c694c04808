// Opens a report in Chromium and checks that the page does what it should.
//
// node page.mjs REPORT.html [--expect lanes,clock,code,build] [--screenshots DIR]
// node page.mjs --sample [...]        the report of sample.mjs
//
// What a report does not have is not checked, unless `--expect` names it: lanes, arrows, clock, cycles, code, machine, source,
// order, why, remarks, evidence, build, modules. Prints each check, then all failures; exits with 1 if
// there is one, and with 2 if the browser cannot be started. `CHROMIUM` names another browser than /usr/bin/chromium.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { assemble, sampleReport } from "./sample.mjs";
import { codeInStep, goneAndNew } from "./code.mjs";
import { lanePictures } from "./lanes.mjs";
import { tableFilters, tableSorts } from "./table.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

function options() {
  const found = { file: null, sample: false, expect: [], screenshots: null };
  const words = process.argv.slice(2);
  while (words.length) {
    const word = words.shift();
    if (word === "--sample") found.sample = true;
    else if (word === "--expect") found.expect = words.shift().split(",");
    else if (word === "--screenshots") found.screenshots = words.shift();
    else found.file = word;
  }
  if (found.sample) {
    found.file = join(mkdtempSync(join(tmpdir(), "ptxasw-report-")), "report.html");
    writeFileSync(found.file, assemble(sampleReport()));
    found.expect.push("lanes", "arrows", "clock", "cycles", "code", "machine", "build", "source", "order", "why", "remarks", "evidence");
  }
  if (!found.file) throw new Error("usage: node page.mjs REPORT.html | --sample [--expect WHAT,...] [--screenshots DIR]");
  return found;
}

/// Runs the checks; a failed one does not stop the others.
class Checks {
  failures = [];
  name = "";

  fail(message) {
    this.failures.push(`${this.name}: ${message}`);
  }

  expect(holds, message) {
    if (!holds) this.fail(message);
    return holds;
  }

  async run(name, check) {
    this.name = name;
    const before = this.failures.length;
    const start = Date.now();
    try {
      await check();
    } catch (error) {
      this.fail(error.stack ?? String(error));
    }
    console.log(`${this.failures.length === before ? "ok  " : "FAIL"} ${name} (${Date.now() - start} ms)`);
  }
}

/// The report as the page sees it, and its kernels with their addresses.
function dataOf(html) {
  const payload = /<script type="application\/octet-stream" id="payload">([^<]*)<\/script>/.exec(html)[1];
  const report = JSON.parse(gunzipSync(Buffer.from(payload.trim(), "base64")).toString("utf8"));
  for (const { before, after } of report.modules.flatMap((module) => module.kernels.flatMap((kernel) => kernel.targets))) {
    for (const version of [before, after]) {
      if (version) version.code = version.code.lines.map((line, index) => ({ line, at: 16 * index, text: version.code.text.split("\n")[index] }));
    }
  }
  const kernels = report.modules.flatMap((module, m) => module.kernels.map((kernel, k) => ({ module, kernel, hash: `#k/${m}/${k}` })));
  return { report, kernels };
}

/// A page on which nothing may go wrong.
async function openPage(browser, url, checks, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...settings });
  const page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && checks.fail(`console: ${message.text()}`));
  page.on("pageerror", (error) => checks.fail(`error in the page: ${error.stack}`));
  page.on("request", (request) => request.url().split("#")[0] !== url && checks.fail(`a request: ${request.url()}`));
  page.on("dialog", (dialog) => {
    checks.fail(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  await page.goto(url);
  await ready(page);
  return page;
}

async function ready(page) {
  await page.waitForSelector('html[data-ready="true"]', { timeout: 20000 });
}

/// Shows a part of the report, and waits until it is there.
async function show(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash || "#");
  const wanted = hash.split("/").slice(0, 3).join("/");
  await page.waitForFunction((there) => (there ? document.querySelector(`.kernel nav.sections a[href^="${there}/"], .kernel nav.way`) : document.querySelector("table.kernels")), wanted);
}

async function sectionsThere(page, data, checks, expect) {
  const seen = new Set();
  // A section counts where it shows something.
  const parts = { lanes: "rect[data-cell]", clock: ".clock table", source: '[data-column="source"]', machine: '[data-column="code"]', cycles: ".waits", arrows: ".arrow" };
  const note = async () => {
    for (const name of await page.$$eval("[data-section]", (nodes) => nodes.map((node) => node.dataset.section))) if (!parts[name]) seen.add(name);
    for (const [name, part] of Object.entries(parts)) if (await page.$(part)) seen.add(name);
  };
  await note();
  for (const { kernel, hash } of data.kernels) {
    await show(page, hash);
    await note();
    const title = await page.textContent("h1");
    checks.expect(title === kernel.title, `${hash} is headed ${JSON.stringify(title)} instead of ${JSON.stringify(kernel.title)}`);
    checks.expect((await page.$("#injected")) === null, `${hash} has an element that a text made`);
    for (const [section, there] of [["lanes", kernel.groups.length], ["clock", kernel.targets.length], ["why", kernel.why_not.length], ["remarks", kernel.remarks.length]]) {
      checks.expect(Boolean(await page.$(`[data-section="${section}"]`)) === there > 0, `${hash}: the section ${section} is ${there ? "missing" : "there without data"}`);
    }
  }
  for (const name of expect) checks.expect(seen.has(name), `nothing in the report shows ${name}`);
  await show(page, "");
}

/// From the top of the page to a kernel, into its code, to another kernel, and back, without a mouse.
async function keyboardOnly(page, data, checks) {
  await page.reload();
  await ready(page);
  const tabTo = async (selector) => {
    for (let step = 0; step < 400; step += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return true;
      await page.keyboard.press("Tab");
    }
    return checks.expect(false, `the Tab key does not come to ${selector}`);
  };
  if (!(await tabTo("tbody tr a"))) return;
  const href = await page.evaluate(() => document.activeElement.getAttribute("href"));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".kernel h1");
  checks.expect((await page.evaluate(() => location.hash)) === href, "Enter on a kernel does not go to its page");
  checks.expect(await page.evaluate(() => document.activeElement.tagName === "H1"), "the focus is not on the heading of the kernel");
  if (!(await tabTo(".scroller"))) return;
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowDown");
  checks.expect((await page.$$(".l.lit")).length > 0, "arrow keys do not light up lines");
  const active = await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.className ?? "");
  checks.expect(active.includes("current"), "the line at which the keyboard is has no name for screen readers");
  await page.goBack();
  await page.waitForSelector("table.kernels");
  checks.expect(await page.evaluate((to) => document.activeElement.getAttribute("href") === to, href), "Back does not return to the kernel in the table");
  if (data.kernels.length > 1) {
    await show(page, data.kernels[0].hash);
    await page.click(".way >> text=Next");
    await page.waitForFunction((title) => document.querySelector("h1")?.textContent === title, data.kernels[1].kernel.title);
  }
  await page.keyboard.press("Tab");
}

async function accessible(page, data, checks, what) {
  const places = ["", ...data.kernels.map((each) => each.hash)];
  await page.evaluate(AXE);
  for (const hash of places) {
    await show(page, hash);
    // Thousands of lines and marks are all made alike: the first ones stand for them, as axe-core looks at each for long.
    await page.$$eval(".l:nth-child(n+60), .block:nth-child(n+2), .mark:nth-child(n+60), .remarks li:nth-child(n+40)", (nodes) => nodes.forEach((node) => node.remove()));
    const found = await page.evaluate(() => axe.run(document, { preload: false, resultTypes: ["violations"] }));
    for (const violation of found.violations) {
      const nodes = violation.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.failureSummary.replace(/\s+/g, " ")}`);
      checks.fail(`${what}, ${hash || "table"}: ${violation.id}, ${violation.nodes.length} times: ${nodes.join(" | ")}`);
    }
  }
}

async function onPaper(page, data, checks) {
  await page.emulateMedia({ media: "print" });
  for (const { hash } of data.kernels.slice(0, 12)) {
    await show(page, hash);
    const flat = await page.$$eval("[data-section]", (nodes) => nodes.filter((node) => node.getBoundingClientRect().height < 20).map((node) => node.dataset.section));
    checks.expect(!flat.length, `${hash}: not on paper: ${flat}`);
    const controls = await page.$$eval(".controls, nav, #theme, .columns", (nodes) => nodes.filter((node) => node.getClientRects().length).length);
    checks.expect(controls === 0, `${hash}: ${controls} controls are on paper`);
    const code = await page.$eval(".paper", (node) => node.getBoundingClientRect().height);
    checks.expect(code > 5, `${hash}: the code is not on paper`);
  }
  await show(page, "");
  const pdf = await page.pdf({ format: "A4" });
  checks.expect(pdf.length > 5000, "the table does not print");
  await page.emulateMedia({ media: "screen" });
}

async function narrow(page, data, checks) {
  for (const width of [360, 768, 2400]) {
    await page.setViewportSize({ width, height: 800 });
    for (const hash of ["", ...data.kernels.slice(0, 8).map((each) => each.hash)]) {
      await show(page, hash);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      checks.expect(over <= 0, `${hash || "table"} at ${width} pixels is ${over} pixels too wide`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function themes(page, checks) {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = [];
  for (let step = 0; step < 3; step += 1) {
    await page.click("#theme");
    seen.push(await back());
  }
  checks.expect(new Set(seen).size === 2, `three steps of the theme show ${seen}`);
}

/// Buttons and lists inside of a kernel page do what they say.
async function controls(page, data, checks) {
  await show(page, "");
  await page.click(".command button");
  await page.waitForFunction(() => document.querySelector(".command [role=status]").textContent);
  const remarked = data.kernels.find((each) => each.kernel.remarks.some((remark) => remark.done) && each.kernel.remarks.some((remark) => !remark.done));
  if (remarked) {
    await show(page, remarked.hash);
    for (const [words, done] of [["done", true], ["not done", false]]) {
      await page.click(`[data-section="remarks"] button:text-is("${words}")`);
      const shown = await page.$$eval(".remarks li", (items) => items.map((item) => item.dataset.done));
      const wanted = remarked.kernel.remarks.filter((remark) => remark.done === done).length;
      checks.expect(shown.length === wanted && shown.every((each) => each === String(done)), `remarks, ${words}: ${shown.length} instead of ${wanted}`);
    }
  }
  const coded = data.kernels.find((each) => each.kernel.targets.some((target) => target.before?.code.length && target.after?.code.length));
  if (coded) {
    await show(page, coded.hash);
    const text = () => page.textContent('[data-column="code"] .scroller');
    await page.click('[data-column="code"] button:text-is("before")');
    const before = await text();
    await page.click('[data-column="code"] button:text-is("after")');
    checks.expect((await text()) !== before, "machine code is the same before and after");
  }
  const listed = data.kernels.find((each) => each.kernel.before.length);
  if (listed) {
    await show(page, listed.hash);
    await page.focus(".strip");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`#before-${listed.kernel.before[0].line}.lit`, { timeout: 5000 });
  }
}

async function screenshots(browser, url, data, checks, folder) {
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage(browser, url, checks, { colorScheme });
    await page.screenshot({ path: join(folder, `table-${colorScheme}.png`), fullPage: true });
    for (const { kernel, hash } of data.kernels.slice(0, 12)) {
      await show(page, kernel.links.length ? `${hash}/L${kernel.links[0].destination}` : hash);
      await page.waitForTimeout(200);
      const name = `${hash.slice(3).replace("/", "-")}-${kernel.name.replace(/\W+/g, "_").slice(0, 40)}`;
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
    }
    await page.context().close();
  }
}

async function main() {
  const given = options();
  const data = dataOf(readFileSync(given.file, "utf8"));
  const url = pathToFileURL(resolve(given.file)).href;
  const checks = new Checks();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] }).catch((error) => {
    console.error(`no browser: ${error.message.split("\n")[0]} (apt-get install chromium)`);
    process.exit(2);
  });
  let page = null;
  await checks.run("opens without an error or a request", async () => (page = await openPage(browser, url, checks)));
  if (page) await allChecks(browser, page, url, data, checks, given);
  await browser.close();
  for (const failure of checks.failures) console.error(`failed: ${failure}`);
  console.log(checks.failures.length ? `${checks.failures.length} failures` : "all checks passed");
  process.exitCode = checks.failures.length ? 1 : 0;
}

async function allChecks(browser, page, url, data, checks, given) {
  const tools = { show, ready };
  await checks.run("shows each kernel, its sections, and names as text", () => sectionsThere(page, data, checks, given.expect));
  await checks.run("the table sorts", () => tableSorts(page, data, checks, tools));
  await checks.run("the table filters", () => tableFilters(page, data, checks, tools));
  await checks.run("works by keyboard alone", () => keyboardOnly(page, data, checks));
  await checks.run("lane pictures: the slider changes them, arrows meet their cells", () => lanePictures(page, data, checks, tools));
  await checks.run("columns of code are in step", () => codeInStep(page, data, checks, tools));
  await checks.run("lines that went and came are marked", () => goneAndNew(page, data, checks, tools));
  await checks.run("buttons and lists of a kernel work", () => controls(page, data, checks));
  await checks.run("fits narrow and wide screens", () => narrow(page, data, checks));
  await checks.run("the theme can be chosen", () => themes(page, checks));
  await checks.run("prints", () => onPaper(page, data, checks));
  for (const colorScheme of ["light", "dark"]) {
    const other = await openPage(browser, url, checks, { colorScheme });
    await checks.run(`axe-core finds nothing, ${colorScheme}`, () => accessible(other, data, checks, colorScheme));
    await other.context().close();
  }
  if (given.screenshots) await checks.run("screenshots", () => screenshots(browser, url, data, checks, given.screenshots));
}

await main();
