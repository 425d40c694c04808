//! Counts, times and machine code of the operators, beside the paper's.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptxasw::passes::shuffle::Search;
use ptxasw::passes::shuffle::synthesis::Outcome;
use ptxasw::pipeline::Options;
use ptxasw::toolchain::{Arch, Assembler};

use crate::paper::{ROWS, Row};
use crate::process::{self, Cost, median};

/// Pairs of runs; the medians count.
const ROUNDS: usize = 11;
/// The target of the measured files.
const ARCH: Arch = Arch::new(80);

/// The tables, in Markdown.
pub fn tables() -> String {
    let assembler = Assembler::find(ARCH).expect("ptxas: run `make setup`");
    let (mut counts, mut times, mut code) = (
        String::from(
            "| operator | S/L | paper | mean \\|N\\| | paper | sources | alone | refused |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
        ),
        String::from(
            "| operator | ours ms | processor ms | `ptxas -O3` ms | ratio | peak MB | Z3 queries | paper s |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        ),
        String::from(
            "| operator | instructions | rewritten | `LDG` | rewritten | `SHFL` | registers | rewritten |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        ),
    );
    let mut ratios = Vec::new();
    for row in &ROWS {
        let operator = Operator::new(row);
        operator.counts(&mut counts);
        ratios.push(operator.times(&assembler, &mut times));
        operator.code(&assembler, &mut code);
        eprint!(".");
    }
    eprintln!();
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let middle = median(ratios);
    format!(
        "### Counts\n\n{counts}\n{}\n### Time and memory of the whole process\n\n{times}\n\
         Ratio: median {middle:.2}, largest {most:.2}.\n\n### Machine code\n\n{code}",
        notes()
    )
}

/// Why counts differ from the paper's.
fn notes() -> String {
    let mut by_note: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in ROWS.iter().filter(|row| !row.note.is_empty()) {
        match by_note.iter_mut().find(|(note, _)| *note == row.note) {
            Some((_, names)) => names.push(row.name),
            None => by_note.push((row.note, vec![row.name])),
        }
    }
    by_note
        .iter()
        .fold(String::new(), |mut text, (note, names)| {
            let _ = writeln!(text, "- {}: {note}", names.join(", "));
            text
        })
}

struct Operator<'r> {
    row: &'r Row,
    path: PathBuf,
    text: Vec<u8>,
    rewritten: Vec<u8>,
    search: Search,
}

impl<'r> Operator<'r> {
    fn new(row: &'r Row) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
        let path = folder.join(format!("{}.sm_80.ptx", row.name));
        let text = std::fs::read(&path).expect("the operator's PTX");
        let output = ptxasw::optimize(&text, &Options::default()).expect("a module");
        let search = output.searches().next().expect("a kernel").clone();
        Operator {
            row,
            path,
            text,
            search,
            rewritten: output.text,
        }
    }

    fn counts(&self, table: &mut String) {
        let shuffles = &self.search.plan.shuffles;
        let total: u32 = shuffles
            .iter()
            .map(|shuffle| shuffle.lanes.distance())
            .sum();
        let mean = match shuffles.len() {
            0 => "-".to_owned(),
            count => format!("{:.2}", f64::from(total) / count as f64),
        };
        let (mut sources, mut alone) = (0, 0);
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for load in &self.search.loads {
            match &load.outcome {
                Outcome::Covered(_) => {}
                Outcome::Kept(_) if load.source => sources += 1,
                Outcome::Kept(refusal) if refusal.related.is_none() => alone += 1,
                Outcome::Kept(refusal) => {
                    let why = format!("{}: {}", refusal.reason.code, refusal.text());
                    *refused.entry(why).or_default() += 1;
                }
            }
        }
        let refused: Vec<String> = refused
            .iter()
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        let Row {
            name,
            counts: (s, l),
            mean_delta,
            ..
        } = self.row;
        let paper_mean = mean_delta.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        let _ = writeln!(
            table,
            "| {name} | {}/{} | {s}/{l} | {mean} | {paper_mean} | {sources} | {alone} | {} |",
            shuffles.len(),
            self.search.loads.len(),
            refused.join("; ")
        );
    }

    /// Runs `ptxasw` and `ptxas` in turn; the ratio of their wall times.
    fn times(&self, assembler: &Assembler, table: &mut String) -> f64 {
        let folder = tempfile::tempdir().expect("a folder");
        let (ptx, cubin) = (
            folder.path().join("out.ptx"),
            folder.path().join("out.cubin"),
        );
        let (mut ours, mut theirs): (Vec<Cost>, Vec<Cost>) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(process::run(&mut process::ptxasw(&self.path, &ptx)));
            theirs.push(process::run(
                Command::new(assembler.path())
                    .arg("-O3")
                    .arg(format!("-arch={ARCH}"))
                    .arg(&self.path)
                    .arg("-o")
                    .arg(&cubin),
            ));
        }
        let wall = |costs: &[Cost]| {
            median(
                costs
                    .iter()
                    .map(|cost| cost.wall.as_secs_f64() * 1e3)
                    .collect(),
            )
        };
        let pairs = ours.iter().zip(&theirs);
        let ratio = median(
            pairs
                .map(|(a, b)| a.wall.as_secs_f64() / b.wall.as_secs_f64())
                .collect(),
        );
        let processor = median(
            ours.iter()
                .map(|cost| cost.processor.as_secs_f64() * 1e3)
                .collect(),
        );
        let peak = ours.iter().map(|cost| cost.peak).max().unwrap_or(0);
        let seconds = self
            .row
            .seconds
            .map_or("-".to_owned(), |seconds| format!("{seconds:.1}"));
        let _ = writeln!(
            table,
            "| {} | {:.2} | {processor:.2} | {:.2} | {ratio:.2} | {:.1} | {} | {seconds} |",
            self.row.name,
            wall(&ours),
            wall(&theirs),
            peak as f64 / 1e6,
            self.search.questions.solver.queries
        );
        ratio
    }

    fn code(&self, assembler: &Assembler, table: &mut String) {
        let figures = |text: &[u8]| {
            let assembled = assembler.assemble(text, ARCH).expect("ptxas accepts it");
            let sass = crate::listing::counted(assembler, &assembled).expect("nvdisasm reads it");
            let registers = assembled
                .kernels
                .first()
                .map_or(0, |kernel| kernel.registers);
            (sass.into_iter().next().unwrap_or_default().all, registers)
        };
        let (before, registers) = figures(&self.text);
        let (after, rewritten) = figures(&self.rewritten);
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {registers} | {rewritten} |",
            self.row.name,
            before.instructions,
            after.instructions,
            before.global_loads,
            after.global_loads,
            after.shuffles
        );
    }
}
