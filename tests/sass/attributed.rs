//! The lines of a source that machine code attributes loads and stores to.

use ptxasw::toolchain::{Arch, Assembler, Search};
use std::process::{Command, Output};

/// Where a comment of `lines.cu` says that a line has an access.
const MARKS: [(&str, bool); 2] = [("// load", true), ("// store", false)];

/// An access of machine code to global memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Of the PTX, from 1.
    pub ptx_line: u32,
    /// A store otherwise.
    pub is_load: bool,
    /// Of the source, from 1, if it is attributed to one.
    pub line: Option<u32>,
}

/// The lines, in order, on which the source has loads or stores.
pub fn marked(source: &str, loads: bool) -> Vec<u32> {
    let lines = (1..).zip(source.lines());
    let marked = lines.filter(|(_, line)| {
        let found = MARKS.iter().find(|(mark, _)| line.ends_with(mark));
        found.is_some_and(|&(_, of_load)| of_load == loads)
    });
    marked.map(|(number, _)| number).collect()
}

/// The lines of loads or of stores, sorted.
///
/// # Panics
/// If an access is attributed to no line.
pub fn lines_of<'a>(accesses: impl IntoIterator<Item = &'a Access>, loads: bool) -> Vec<u32> {
    let accesses = accesses.into_iter().filter(|one| one.is_load == loads);
    let lines = accesses.map(|one| one.line.unwrap_or_else(|| panic!("{one:?} has no line")));
    let mut lines: Vec<u32> = lines.collect();
    lines.sort_unstable();
    lines
}

/// Whether each of these lines, with its number, is among others; both are sorted.
pub fn is_part(lines: &[u32], of: &[u32]) -> bool {
    let mut others = of.iter();
    lines.iter().all(|line| others.any(|other| other == line))
}

/// The accesses of a text's machine code to global memory, in the order of their addresses; none without the tools, which is an
/// error where `CI` is set.
pub fn accesses(text: &[u8], arch: Arch) -> Option<Vec<Access>> {
    let tools = Assembler::find(arch).ok();
    let tools = tools.zip(Search::from_environment().disassembler(arch).ok());
    let Some((assembler, disassembler)) = tools else {
        assert!(std::env::var_os("CI").is_none(), "no ptxas or nvdisasm");
        eprintln!("skipped: no ptxas or nvdisasm");
        return None;
    };
    let [ptx, cubin] = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
    std::fs::write(ptx.path(), text).unwrap();
    let mut command = Command::new(assembler.path());
    command.args(["-O3", "-lineinfo", &format!("-arch={arch}")]);
    finished(command.arg(ptx.path()).arg("-o").arg(cubin.path()));
    // Lines of the source, and those of the PTX.
    let [source, ptx] = ["-g", "-gp"].map(|option| {
        let command = &mut Command::new(&disassembler);
        let output = finished(command.args(["-c", option]).arg(cubin.path()));
        listed(&String::from_utf8(output.stdout).unwrap())
    });
    assert_eq!(source.len(), ptx.len());
    let accesses = source.into_iter().zip(ptx).map(|(one, other)| Access {
        ptx_line: other.1.expect("a line of the PTX"),
        is_load: one.0,
        line: one.1,
    });
    Some(accesses.collect())
}

fn finished(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

/// Loads and stores of a listing, each with the line that the last comment names.
fn listed(text: &str) -> Vec<(bool, Option<u32>)> {
    let (mut line, mut accesses) = (None, Vec::new());
    for text in text.lines().map(str::trim) {
        if text.starts_with(".text.") {
            line = None;
        } else if let Some(place) = text.strip_prefix("//## File ") {
            let number = place.split_once(", line ").map(|(_, rest)| rest);
            let number = number.and_then(|rest| rest.split_whitespace().next());
            line = number
                .and_then(|number| number.parse().ok())
                .filter(|&number| number > 0);
        } else if text.contains(" LDG") {
            accesses.push((true, line));
        } else if text.contains(" STG") {
            accesses.push((false, line));
        }
    }
    accesses
}
