//! KernelGen through the compilers that stand beside us: all in turn, on the same kernels in the same run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ptxasw::toolchain::{Arch, Assembler};

use crate::paper::ROWS;
use crate::process::{self, median, run};

/// Rounds; the medians count.
const ROUNDS: usize = 11;

/// A column: its name, and the command for an operator's PTX and LLVM IR, if it can be had.
type Column = (
    &'static str,
    Box<dyn Fn(&Path, &Path, &Path) -> Option<Command>>,
);

/// The table, in Markdown.
pub fn table() -> String {
    let columns = columns();
    let mut text = String::from("| operator |");
    let _ = writeln!(
        text,
        "{} paper s |\n| --- |{} ---: |",
        columns
            .iter()
            .fold(String::new(), |line, (name, _)| format!("{line} {name} |")),
        " ---: |".repeat(columns.len())
    );
    let mut all = vec![Vec::new(); columns.len()];
    for row in &ROWS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let ptx = root.join(format!("ptx-tests/kernelgen/{}.sm_80.ptx", row.name));
        let ir = root.join(format!("llvm-tests/kernelgen/{}.ll", row.name));
        let _ = write!(text, "| {} |", row.name);
        for (column, time) in times(&columns, &ptx, &ir).into_iter().enumerate() {
            let _ = match time {
                Some(time) => write!(text, " {time:.1} |"),
                None => write!(text, " - |"),
            };
            all[column].extend(time);
        }
        let seconds = row.seconds.map_or("-".into(), |time| format!("{time:.1}"));
        let _ = writeln!(text, " {seconds} |");
        eprint!(".");
    }
    eprintln!();
    let medians = all.into_iter().map(|times| match times.is_empty() {
        true => " - |".to_owned(),
        false => format!(" {:.1} |", median(times)),
    });
    let _ = writeln!(text, "| median |{} |", medians.collect::<String>());
    text
}

fn columns() -> Vec<Column> {
    let assembler = Assembler::find(Arch::new(80)).ok();
    let ptxas = move |ptx: &Path, _: &Path, output: &Path| {
        let mut command = Command::new(assembler.as_ref()?.path());
        command.args(["-O3", "-arch=sm_80"]).arg(ptx);
        command.arg("-o").arg(output);
        Some(command)
    };
    vec![
        (
            "ours, PTX",
            Box::new(|ptx, _, output| Some(process::ptxasw(ptx, &output.with_extension("ptx")))),
        ),
        (
            "ours, LLVM IR",
            Box::new(|_, ir, output| {
                beside("ptxasw-llvm")?;
                Some(process::ptxasw(ir, &output.with_extension("ll")))
            }),
        ),
        (
            "`opt -O2`",
            Box::new(|_, ir, output| tool("opt-19", &["-O2", "-S"], ir, output)),
        ),
        (
            "`llc -O3`",
            Box::new(|_, ir, output| tool("llc-19", &["-O3", "-mcpu=sm_80"], ir, output)),
        ),
        ("`ptxas -O3`", Box::new(ptxas)),
    ]
}

/// Median wall times in milliseconds, of commands that take turns.
fn times(columns: &[Column], ptx: &Path, ir: &Path) -> Vec<Option<f64>> {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    let mut times = vec![Vec::new(); columns.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in columns.iter().zip(&mut times) {
            if let Some(mut command) = command(ptx, ir, &output) {
                times.push(run(&mut command).wall.as_secs_f64() * 1e3);
            }
        }
    }
    let times = times.into_iter();
    times
        .map(|times| (!times.is_empty()).then(|| median(times)))
        .collect()
}

fn tool(name: &str, options: &[&str], input: &Path, output: &Path) -> Option<Command> {
    let version = Command::new(name)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    version.ok()?;
    let mut command = Command::new(name);
    command.args(options).arg(input).arg("-o").arg(output);
    Some(command)
}

/// A program of ours next to `ptxasw`: `cargo build --release` makes both.
fn beside(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_ptxasw")).with_file_name(name);
    path.exists().then_some(path)
}
