//! What one text costs: its machine code for two targets, and a run of its kernel.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use ptxasw::cost::sass::{self, KernelCode};
use ptxasw::executor::launch::LaunchSpec;
use ptxasw::executor::{self, Outcome, Schedule};
use ptxasw::ptx::decode::form::Action;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::verify::{Kernel, Module};

/// The targets.
pub const ARCHS: [Arch; 2] = [Arch::new(80), Arch::new(90)];

/// Of one text.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// Of its machine code, for each target; none if the module is for a later one, or for one alone.
    pub code: [Option<Code>; 2],
    /// Of tests at run time.
    pub tests: Tests,
    /// Loads from global memory that a warp issues, by the executor.
    pub issued: f64,
}

/// Of tests at run time, in the PTX.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Tests {
    /// Comparisons of addresses, and tests of state spaces.
    pub comparisons: usize,
    /// Instructions, these and jumps included.
    pub instructions: usize,
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
        let kernel = match &launch.kernel {
            Some(name) => module.kernel(name),
            None => module.kernels().next(),
        };
        let kernel = kernel.context("a kernel")?;
        let options = executor::Options::default();
        let instance = launch.instantiate()?;
        let schedule = Schedule::Lockstep;
        let (module, function) = (kernel.module, kernel.function);
        let blank = executor::Coverage::default();
        let (outcome, reached) =
            executor::run_covered(module, function, &instance, schedule, options, blank)?;
        let reached = |number| reached.has_any(number);
        let skipped = skipped_lines(&kernel, reached);
        let target = Arch::of_module(&String::from_utf8_lossy(text)).context("a target")?;
        let mut code = [None; 2];
        for (at, arch) in ARCHS.into_iter().enumerate() {
            // Code for `sm_90a` runs on that very target.
            let Some(arch) = [arch, target]
                .into_iter()
                .find(|&one| one.number == arch.number && target.runs_on(one))
            else {
                continue;
            };
            let machine = machine_code(&self.assemblers[at], text, arch, &kernel.function.name)?;
            code[at] = Some(figures(&machine, &skipped)?);
        }
        let counters = outcome.counters;
        let figures = Figures {
            code,
            tests: tests(&kernel),
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

fn machine_code(
    assembler: &Assembler,
    text: &[u8],
    arch: Arch,
    kernel: &str,
) -> Result<KernelCode> {
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
    let kernels = sass::kernels(&std::fs::read(&cubin)?)?.into_iter();
    kernels
        .into_iter()
        .find(|one| one.name == kernel)
        .context("the kernel")
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

/// Of what a patch puts in front of the jumps to the untouched original: instructions that use registers of the patch, as far as
/// the last such jump.
fn tests(kernel: &Kernel) -> Tests {
    let instructions = &kernel.function.instructions;
    let from = instructions.first().map_or(0, |one| one.span.start) as usize;
    let to = instructions.last().map_or(0, |one| one.span.end) as usize;
    let text = String::from_utf8_lossy(&kernel.text[from..to]);
    let lines: Vec<&str> = text.lines().collect();
    let jump = |line: &str| {
        let (_, label) = line.split_once("bra $ptxaswp")?;
        line.trim_start().starts_with('@').then(|| label.to_owned())
    };
    let Some(original) = lines.iter().find_map(|line| jump(line)) else {
        return Tests::default();
    };
    let is_last = |line: &str| jump(line).as_ref() == Some(&original);
    let last = lines.iter().rposition(|line| is_last(line));
    let of_patch = lines[..=last.unwrap_or(0)].iter();
    let of_patch: Vec<_> = of_patch.filter(|line| line.contains("%ptxaswp_")).collect();
    Tests {
        comparisons: of_patch
            .iter()
            .filter(|line| {
                line.contains("setp.") && line.contains("%ptxaswp_p") || line.contains("isspacep.")
            })
            .count(),
        instructions: of_patch.len(),
    }
}
