//! What lanes of some warps do at loads that share lanes: executed, and not read off the plan.

use super::data::{Frame, Row};
use super::subject::{Mapped, Reader};
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_executor::participation::{self, WarpSteps};
use ptxasw_executor::{Launch, Options};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::{Action, Function, Instruction, Reg, Source};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lanes of a warp.
pub const LANES: u32 = 32;
/// Most frames of a group.
const FRAMES: usize = 12;
/// Most blocks of a launch that are executed.
const BLOCKS: u64 = 7;
/// Launches with buffers of more bytes are not executed.
const LARGEST_LAUNCH: u64 = 1 << 26;
/// Most steps of a made-up launch.
const MADE_UP_STEPS: u64 = 1 << 18;

/// A kernel whose warps are shown.
pub struct Shown<'a> {
    mapped: &'a Mapped<'a>,
    reader: &'a Reader<'a>,
    /// The kernel as it came.
    before: &'a Function,
    /// The kernel with shuffles.
    after: &'a Function,
    warps: Vec<Warp>,
}

/// What a warp did when it first came to each statement.
struct Warp {
    name: String,
    lanes: FxHashMap<u32, u32>,
}

/// The statements that give a load's value, by their begins.
#[derive(Default)]
struct Code {
    loads: Vec<u32>,
    shuffles: Vec<u32>,
}

impl<'a> Shown<'a> {
    /// Executes a kernel in launches of blocks of several shapes.
    pub fn new(name: &str, mapped: &'a Mapped<'a>, reader: &'a Reader<'a>) -> Option<Self> {
        let after = mapped.text.source.kernel(name)?;
        Some(Shown {
            mapped,
            reader,
            before: reader.texts.input.source.kernel(name)?,
            after,
            warps: warps(after, mapped, reader),
        })
    }

    /// What each of the warps does at the loads, those first in which most lanes take; those in which nothing differs once.
    pub fn frames(&self, rows: &[Row]) -> Vec<Frame> {
        let codes: Vec<Code> = rows.iter().map(|row| self.code(row)).collect();
        let mut frames: Vec<Frame> = Vec::new();
        for warp in &self.warps {
            let cells: Vec<String> = codes.iter().map(|code| cells(code, warp)).collect();
            let is_there = cells.iter().any(|row| row.contains(['L', 'S', 'C']));
            if is_there && frames.iter().all(|one| one.cells != cells) {
                frames.push(Frame {
                    name: warp.name.clone(),
                    cells,
                });
            }
        }
        let takes = |frame: &Frame| frame.cells.concat().matches('S').count();
        frames.sort_by_key(|frame| std::cmp::Reverse(takes(frame)));
        // Of many the usual ones and the most partial ones.
        let rest = frames.split_off(frames.len().min(FRAMES / 2));
        let skipped = rest.len().saturating_sub(FRAMES / 2);
        frames.extend(rest.into_iter().skip(skipped));
        frames
    }

    /// What gives the value of a load: the statement at its place that writes its register, and what was inserted in front of
    /// that and leads to it.
    fn code(&self, row: &Row) -> Code {
        let mut code = Code::default();
        let source = &self.reader.texts.input.source;
        let mut before = self.before.instructions.iter();
        let load = before.find(|one| source.lines.line(one.span.start) == row.line);
        let Some(load) = load else { return code };
        let mut wanted: FxHashSet<&str> = names(self.before, results(load)).collect();
        let instructions = &self.after.instructions;
        let writes = |one: &Instruction, wanted: &FxHashSet<&str>| {
            names(self.after, results(one)).any(|name| wanted.contains(name))
        };
        let is_it = |one: &Instruction| self.line(one) == row.line && writes(one, &wanted);
        let Some(last) = instructions.iter().rposition(is_it) else {
            return code;
        };
        for (number, one) in instructions[..=last].iter().enumerate().rev() {
            if number < last && !self.is_new(one) {
                break;
            }
            if !writes(one, &wanted) {
                continue;
            }
            match &one.action {
                Action::Do(Opcode::Load(_)) => code.loads.push(one.span.start),
                Action::Do(Opcode::Shuffle { .. }) => code.shuffles.push(one.span.start),
                _ => wanted.extend(names(self.after, operands(one))),
            }
        }
        code
    }

    /// The input line that an instruction maps to.
    fn line(&self, one: &Instruction) -> u32 {
        self.mapped.input_line(one.span.start)
    }

    /// Whether the input does not have it.
    fn is_new(&self, one: &Instruction) -> bool {
        let lines = &self.mapped.text.source.lines;
        let text = lines.text().get(one.span.range()).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let line = self.reader.text(self.line(one));
        !line.contains(&*text)
    }
}

fn results(one: &Instruction) -> impl Iterator<Item = Reg> {
    one.results.iter().copied().flatten()
}

fn operands(one: &Instruction) -> impl Iterator<Item = Reg> {
    let operands = one.operands.iter();
    operands.filter_map(|operand| match *operand {
        Source::Reg(reg) | Source::NotReg(reg) | Source::Sum(reg, _) => Some(reg),
        Source::Part { reg, .. } => Some(reg),
        Source::Imm(_) | Source::Special(_) | Source::Address(..) => None,
    })
}

fn names(function: &Function, registers: impl Iterator<Item = Reg>) -> impl Iterator<Item = &str> {
    registers.filter_map(|reg| Some(&*function.registers.get(reg.0 as usize)?.name))
}

/// What some warps of launches of several shapes do.
fn warps(function: &Function, mapped: &Mapped, reader: &Reader) -> Vec<Warp> {
    let source = &mapped.text.source;
    let kernel = ptxasw_verify::Kernel {
        text: source.text,
        module: &source.form,
        function,
    };
    let steps = reader.wanted.steps;
    let mut specs = Vec::new();
    if let Ok((spec, false)) = reader.launch(mapped.text, &function.name) {
        specs.push(spec);
    }
    let made_up = steps.min(MADE_UP_STEPS);
    let made_up = ptxasw_verify::made_up_launches(kernel, made_up).flatten();
    specs.extend(made_up.take(FRAMES / 2));
    let mut warps = Vec::new();
    for spec in specs {
        if spec.buffer_bytes() > LARGEST_LAUNCH {
            continue;
        }
        let Ok(launch) = spec.instantiate() else {
            continue;
        };
        let options = Options {
            step_limit: steps,
            undefined_results: true,
            ..Options::default()
        };
        let blocks = blocks(&launch);
        let found = participation::steps(&source.form, function, &launch, options, &blocks);
        for one in chosen(found.unwrap_or_default()) {
            let mut lanes = FxHashMap::default();
            for step in &one.steps {
                lanes.entry(step.statement).or_insert(step.lanes);
            }
            warps.push(Warp {
                name: named(&spec, &one),
                lanes,
            });
        }
    }
    warps
}

/// The first block, the last, and some between: a guard may leave nothing for those at the edges.
fn blocks(launch: &Launch) -> Vec<u64> {
    let count = launch.grid.iter().map(|&n| u64::from(n)).product::<u64>();
    let mut blocks: Vec<u64> = match count {
        0 => Vec::new(),
        _ => (0..BLOCKS)
            .map(|place| place * (count - 1) / (BLOCKS - 1))
            .collect(),
    };
    blocks.dedup();
    blocks
}

/// Of each block the first warp and the last.
fn chosen(warps: Vec<WarpSteps>) -> Vec<WarpSteps> {
    let last = warps.iter().map(|one| one.warp).max();
    let at_an_end = |one: &WarpSteps| one.warp == 0 || Some(one.warp) == last;
    warps.into_iter().filter(at_an_end).collect()
}

fn named(spec: &LaunchSpec, warp: &WarpSteps) -> String {
    let [x, y, z] = spec.block;
    let shape = match (y, z) {
        (1, 1) => format!("{x}"),
        (_, 1) => format!("{x} x {y}"),
        _ => format!("{x} x {y} x {z}"),
    };
    format!(
        "blocks of {shape} threads: block {}, warp {}",
        warp.block, warp.warp
    )
}

/// What the lanes do when the warp first comes to a load.
fn cells(code: &Code, warp: &Warp) -> String {
    let lanes = |statements: &[u32]| {
        let lanes = statements.iter().filter_map(|one| warp.lanes.get(one));
        lanes.fold(0, |all, lanes| all | lanes)
    };
    let (loads, takes) = (lanes(&code.loads), lanes(&code.shuffles));
    let cell = |lane: u32| {
        let has = |lanes: u32| lanes >> lane & 1 == 1;
        match (has(loads), has(takes)) {
            (true, true) => 'C',
            (true, false) => 'L',
            (false, true) => 'S',
            (false, false) => '.',
        }
    };
    (0..LANES).map(cell).collect()
}
