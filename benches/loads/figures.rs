//! What one text costs: its machine code for two targets, and a run of its kernel.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use ptxasw::cost::sass::{self, KernelCode};
use ptxasw::ptx::decode::form::Action;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::verify::{Kernel, Module};
use ptxasw::warp::launch::LaunchSpec;
use ptxasw::warp::{self, Outcome, Schedule};

/// The targets.
pub const ARCHS: [Arch; 2] = [Arch::new(80), Arch::new(90)];

/// Of one text.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// Of its machine code, for each target.
    pub code: [Code; 2],
    /// Comparisons of tests at run time in the PTX.
    pub comparisons: usize,
    /// Loads from global memory that a warp issues, by the executor.
    pub issued: f64,
}

/// Of machine code: the path of a full warp, every loop taken once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Code {
    /// Loads from global memory.
    pub loads: u32,
    /// Stores to it.
    pub stores: u32,
    /// Times that the warp waits for it.
    pub rounds: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Warps that a multiprocessor holds, as far as registers decide.
    pub warps: u32,
}

/// Makes machine code of texts.
pub struct Bench {
    assemblers: [Assembler; 2],
}

impl Bench {
    pub fn new() -> Result<Self> {
        let [one, other] = ARCHS;
        Ok(Bench {
            assemblers: [Assembler::find(one)?, Assembler::find(other)?],
        })
    }

    /// The figures of a text, and what its kernel leaves in memory.
    pub fn measure(&self, text: &[u8], launch: &LaunchSpec) -> Result<(Figures, Outcome)> {
        let module = Module::read(text)?;
        let kernel = module.kernels().next().context("a kernel")?;
        let options = warp::Options::default();
        let instance = launch.instantiate()?;
        let schedule = Schedule::Lockstep;
        let (outcome, reached) =
            warp::run_covered(kernel.module, kernel.function, &instance, schedule, options)?;
        let reached = |number| reached.has_any(number);
        let skipped = skipped_lines(&kernel, reached);
        let mut code = Vec::new();
        for (assembler, arch) in self.assemblers.iter().zip(ARCHS) {
            code.push(figures(&machine_code(assembler, text, arch)?, &skipped)?);
        }
        let counters = outcome.counters;
        let figures = Figures {
            code: [code[0], code[1]],
            comparisons: comparisons(text),
            issued: counters.per_warp(counters.global_loads),
        };
        Ok((figures, outcome))
    }
}

/// The lines, from 1, of which no instruction was reached: fallbacks. Jumps count as reached.
fn skipped_lines(kernel: &Kernel, reached: impl Fn(u32) -> bool) -> BTreeSet<u32> {
    let (mut skipped, mut taken) = (BTreeSet::new(), BTreeSet::new());
    let mut lines = (1..).zip(kernel.text.split_inclusive(|&byte| byte == b'\n'));
    let (mut line, mut end) = (0, 0);
    for (number, instruction) in (0..).zip(&kernel.function.instructions) {
        while end <= instruction.span.start as usize {
            let Some((next, text)) = lines.next() else {
                break;
            };
            (line, end) = (next, end + text.len());
        }
        match instruction.action {
            Action::Do(_) if !reached(number) => skipped.insert(line),
            _ => taken.insert(line),
        };
    }
    &skipped - &taken
}

fn machine_code(assembler: &Assembler, text: &[u8], arch: Arch) -> Result<KernelCode> {
    let folder = tempfile::tempdir()?;
    let [ptx, cubin] = ["in.ptx", "out.cubin"].map(|name| folder.path().join(name));
    std::fs::write(&ptx, text)?;
    let done = Command::new(assembler.path())
        .args(["-O3", "-lineinfo", &format!("-arch={arch}")])
        .arg(&ptx)
        .arg("-o")
        .arg(&cubin)
        .stdout(Stdio::null())
        .output()?;
    if !done.status.success() {
        bail!("ptxas: {}", String::from_utf8_lossy(&done.stderr));
    }
    let mut kernels = sass::kernels(&std::fs::read(&cubin)?)?;
    ensure!(kernels.len() == 1, "one kernel");
    kernels.pop().context("a kernel")
}

fn figures(code: &KernelCode, skipped: &BTreeSet<u32>) -> Result<Code> {
    let executed = |at| code.line(at).is_none_or(|line| !skipped.contains(&line));
    let counts = code.path_counts_where(executed)?.total;
    Ok(Code {
        loads: counts.loads.device(),
        stores: counts.stores.device(),
        rounds: counts.rounds,
        registers: code.registers,
        warps: code.resident_warps(),
    })
}

/// Comparisons whose result is in a register of a patch.
fn comparisons(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text);
    let tests = text
        .lines()
        .filter(|line| line.contains("setp.") && line.contains("%ptxaswp_p"));
    tests.count()
}
