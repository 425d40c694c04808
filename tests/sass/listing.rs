//! What `nvdisasm -hex` prints, read without any knowledge of the encoding.

use ptxasw::toolchain::{Arch, Assembler, Search};
use std::collections::HashMap;
use std::process::Command;

/// One instruction of a listing.
pub struct Line {
    pub at: u32,
    /// `@!P0` and the like, or nothing.
    pub guard: String,
    /// With its modifiers.
    pub opcode: String,
    pub operands: String,
    /// Whether a label is in front of it.
    pub labelled: bool,
}

/// One section of code.
pub struct Section {
    pub name: String,
    pub lines: Vec<Line>,
    /// Labels by name.
    pub labels: HashMap<String, u32>,
}

impl Line {
    pub fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap()
    }

    pub fn has(&self, modifier: &str) -> bool {
        self.opcode.split('.').skip(1).any(|one| one == modifier)
    }
}

/// The assembler for a target, or none with a message: an error where `CI` is set.
pub fn assembler(arch: Arch) -> Option<Assembler> {
    match Assembler::find(arch) {
        Ok(assembler) => Some(assembler),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("skipped: no ptxas");
            None
        }
    }
}

/// The machine code of a text; none if `ptxas` does not take it for the target.
pub fn cubin(assembler: &Assembler, text: &[u8], arch: Arch) -> Option<Vec<u8>> {
    let assembled = assembler.assemble(text, arch).ok()?;
    Some(std::fs::read(assembled.cubin.path()).unwrap())
}

/// The listing of a cubin; none without `nvdisasm`.
pub fn sections(cubin: &[u8], arch: Arch) -> Option<Vec<Section>> {
    let program = Search::from_environment().disassembler(arch).ok()?;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), cubin).unwrap();
    let output = Command::new(program)
        .args(["-c", "-hex"])
        .arg(file.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(parse(&String::from_utf8_lossy(&output.stdout)))
}

fn parse(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix(".text.") {
            sections.push(Section {
                name: name.trim_end_matches(':').to_owned(),
                lines: Vec::new(),
                labels: HashMap::new(),
            });
        } else if let Some(label) = line.strip_suffix(':') {
            open.push(label.to_owned());
        } else if let Some((at, text)) = place(line) {
            let section = sections.last_mut().expect("a section");
            let labelled = !open.is_empty();
            section
                .labels
                .extend(open.drain(..).map(|label| (label, at)));
            let (guard, text) = match text.starts_with('@') {
                true => text.split_once(char::is_whitespace).unwrap(),
                false => ("", text),
            };
            let text = text.trim_start();
            let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            section.lines.push(Line {
                at,
                guard: guard.to_owned(),
                opcode: opcode.to_owned(),
                operands: operands.trim().to_owned(),
                labelled,
            });
        }
    }
    sections
}

/// The address and the text of `/*0010*/ @!P0 EXIT ; /* 0x000000000000894d */`.
fn place(line: &str) -> Option<(u32, &str)> {
    let (at, text) = line.strip_prefix("/*")?.split_once("*/")?;
    let at = u32::from_str_radix(at, 16).ok()?;
    Some((at, text.split(';').next()?.split("/*").next()?.trim()))
}
