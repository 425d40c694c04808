// Checks of the lane pictures: each frame shows its cells, and each arrow begins and ends in the cells that it names.

function givingLane(takes, lane) {
  const from = takes.map === "shift" ? lane + takes.by : takes.map === "xor" ? lane ^ takes.by : takes.by;
  return from >= 0 && from < 32 ? from : null;
}

/// The arrows that a frame should have, as `FROM_ROW FROM_LANE ROW LANE`.
function arrowsOf(group, frame) {
  const wanted = [];
  group.rows.forEach((row, r) => {
    if (!row.takes) return;
    [...frame.cells[r]].forEach((cell, lane) => {
      const from = cell === "S" ? givingLane(row.takes, lane) : null;
      if (from !== null) wanted.push(`${row.takes.row} ${from} ${r} ${lane}`);
    });
  });
  return wanted.sort();
}

/// Cells and arrows as they are on the screen.
function drawn(figure) {
  const cells = [];
  const boxes = new Map();
  for (const cell of figure.querySelectorAll("rect[data-cell]")) {
    const { row, lane } = cell.dataset;
    (cells[row] ??= [])[lane] = cell.dataset.cell;
    boxes.set(`${row} ${lane}`, cell.getBoundingClientRect());
  }
  const astray = [];
  const inside = (box, point) => box && point.x >= box.left - 0.5 && point.x <= box.right + 0.5 && point.y >= box.top - 0.5 && point.y <= box.bottom + 0.5;
  const arrows = [...figure.querySelectorAll(".arrow")].map((arrow) => {
    const { fromRow, fromLane, toRow, toLane } = arrow.dataset;
    const matrix = arrow.getScreenCTM();
    const at = (length) => arrow.getPointAtLength(length).matrixTransform(matrix);
    const total = arrow.getTotalLength();
    if (!inside(boxes.get(`${fromRow} ${fromLane}`), at(0)) || !inside(boxes.get(`${toRow} ${toLane}`), at(total))) astray.push(`${fromRow}/${fromLane} to ${toRow}/${toLane}`);
    if (!arrow.getAttribute("marker-end")) astray.push("an arrow without a tip");
    return `${fromRow} ${fromLane} ${toRow} ${toLane}`;
  });
  const text = figure.querySelector("svg desc").textContent;
  return { cells: cells.map((row) => row.join("")), arrows: arrows.sort(), astray, text };
}

export async function lanePictures(page, data, checks, { show }) {
  for (const { kernel, hash } of data.kernels.filter((each) => each.kernel.groups.length)) {
    await show(page, hash);
    for (const [number, group] of kernel.groups.entries()) await groupOf(page, checks, `${hash}, group ${number + 1}`, number, group);
  }
}

async function groupOf(page, checks, what, number, group) {
  const figure = await page.$(`figure[data-group="${number}"]`);
  if (!checks.expect(figure, `${what} is not drawn`)) return;
  const slider = await figure.$("input[type=range]");
  checks.expect(Boolean(slider) === group.frames.length > 1, `${what}: ${slider ? "a slider for one frame" : "no slider"}`);
  if (slider) await slider.focus();
  let last = null;
  for (const [step, frame] of group.frames.entries()) {
    if (step) await page.keyboard.press("ArrowRight");
    const seen = await figure.evaluate(drawn);
    const name = await figure.$eval(".frame-name", (node) => node.textContent);
    checks.expect(name === frame.name, `${what}: the label is ${name} instead of ${frame.name}`);
    checks.expect(seen.cells.join() === frame.cells.join(), `${what}, ${frame.name}: cells ${seen.cells.join()} instead of ${frame.cells.join()}`);
    const wanted = arrowsOf(group, frame);
    checks.expect(seen.arrows.join() === wanted.join(), `${what}, ${frame.name}: ${seen.arrows.length} arrows instead of ${wanted.length}, or others`);
    checks.expect(!seen.astray.length, `${what}, ${frame.name}: arrows beside their cells: ${seen.astray.slice(0, 5).join("; ")}`);
    checks.expect(seen.text.includes(`Line ${group.rows[0].line}`), `${what}: no text says what the picture shows`);
    const shown = seen.cells.join();
    if (last && last.frame.cells.join() !== frame.cells.join()) checks.expect(last.shown !== shown, `${what}: the slider changes nothing`);
    last = { shown, frame };
  }
}
