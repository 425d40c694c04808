//! A kernel, rewritten and assembled.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use super::listing::{self, SassCount};
use ptxasw::toolchain::{Arch, Assembler};

/// The targets of the table.
pub const ARCHS: [Arch; 3] = [Arch::new(70), Arch::new(80), Arch::new(90)];

/// The kernels of the table.
pub const KERNELS: [&str; 9] = ["k1", "k1c", "k1f", "k2", "k3", "k4", "k5", "k6", "k7"];

/// As `--wrapping` names them.
pub const WRAPPINGS: [&str; 7] = ["auto", "R", "F", "paper", "halo", "F31", "full"];
/// Of these, those that need `.reqntid`.
pub const OF_WHOLE_ROWS: [&str; 2] = ["F31", "full"];

/// Machine code of a kernel for one target.
pub struct Code {
    pub sass: SassCount,
    pub registers: u32,
}

/// The PTX of a kernel of `ptx-tests/wrappings`; with `rows`, for blocks of 128 threads only.
pub fn text(kernel: &str, rows: bool) -> String {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("ptx-tests/wrappings/{kernel}.ptx"));
    let text = std::fs::read_to_string(path).expect("the kernel's PTX");
    match rows {
        true => text.replacen("\n{", "\n.reqntid 128, 1, 1\n{", 1),
        false => text,
    }
}

/// The text for each target. It is compiled for sm_80; nothing in it needs more than sm_70.
pub fn targeted(text: &str) -> [String; 3] {
    ARCHS.map(|arch| {
        let lines = text.lines();
        let lines = lines.map(|line| match line.split_whitespace().next() {
            Some(".version") => ".version 7.8\n".to_owned(),
            Some(".target") => format!(".target {arch}\n"),
            _ => format!("{line}\n"),
        });
        lines.collect()
    })
}

/// The machine code for the target of that number; none where its assembler or disassembler is missing.
pub fn assembled(texts: &[String; 3], index: usize) -> Option<Code> {
    let arch = ARCHS[index];
    let assembler = Assembler::find(arch).ok()?;
    let assembled = assembler
        .assemble(texts[index].as_bytes(), arch)
        .expect("ptxas accepts it");
    let sass = listing::counted(&assembler, &assembled)
        .ok()?
        .into_iter()
        .next()?;
    Some(Code {
        sass,
        registers: assembled.kernels.first()?.registers,
    })
}

/// What `ptxasw` makes of a kernel.
pub enum Rewritten {
    /// The text for each target, and how many of its loads are shuffles.
    Texts([String; 3], usize),
    /// Why there is none.
    Refused(String),
}

/// Runs the command itself, so that a wrapping that it does not know is a line in the table.
pub fn rewritten(texts: &[String; 3], wrapping: &str) -> Rewritten {
    let command = |name: &[&str], text: &String| {
        let arguments = ["--wrapping", wrapping, "--profit", "always", "-"];
        ptxasw(&[name, &arguments].concat(), text)
    };
    let opt = ["opt", "--no-register-check"];
    let outputs = texts.each_ref().map(|text| command(&opt, text));
    if let Some(failed) = outputs.iter().find(|output| !output.status.success()) {
        let error = String::from_utf8_lossy(&failed.stderr);
        return Rewritten::Refused(error.lines().next().unwrap_or_default().to_owned());
    }
    let rewritten = outputs.map(|output| String::from_utf8(output.stdout).expect("PTX"));
    match rewritten[0].matches("shfl.sync").count() {
        0 => {
            let explained = command(&["explain"], &texts[0]).stdout;
            Rewritten::Refused(reason(&String::from_utf8_lossy(&explained)))
        }
        shuffles => Rewritten::Texts(rewritten, shuffles),
    }
}

/// The reason that most loads of an explanation are kept for, where another load could be their source.
fn reason(explanation: &str) -> String {
    let mut reasons: Vec<(usize, &str)> = Vec::new();
    let kept = explanation
        .lines()
        .filter_map(|line| line.split_once("kept (").map(|(_, why)| why));
    for why in kept.filter(|why| !why.contains("no earlier load")) {
        match reasons.iter_mut().find(|(_, other)| *other == why) {
            Some((count, _)) => *count += 1,
            None => reasons.push((1, why)),
        }
    }
    let most = reasons.iter().max_by_key(|(count, _)| *count);
    most.map_or("no load can be covered".to_owned(), |(_, why)| {
        why.replacen("): ", ": ", 1)
    })
}

fn ptxasw(arguments: &[&str], text: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ptxasw starts");
    // A command that refuses its arguments does not read.
    let _ = child
        .stdin
        .take()
        .map(|mut input| input.write_all(text.as_bytes()));
    child.wait_with_output().expect("ptxasw ends")
}
