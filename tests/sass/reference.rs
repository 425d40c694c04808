//! Every instruction is what `nvdisasm` says it is.

use super::listing::{self, Line, Section};
use ptxasw::cost::sass::{self, Condition, Instruction, KernelCode, Kind, Space};
use ptxasw::toolchain::Arch;
use rayon::prelude::*;
use std::fs;
use std::path::PathBuf;

/// Targets of all forms of machine code since sm_75; the letters let a target take what only it has.
const ARCHS: [&str; 7] = [
    "sm_80", "sm_90a", "sm_75", "sm_86", "sm_89", "sm_100a", "sm_120a",
];

const FOLDERS: [&str; 4] = ["kernelgen", "producers", "memory", "wrappings"];

/// Goes to each target. In a soak test all others do, too, else a quarter, each to one target.
const ACCESSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sass/accesses.ptx");

fn files() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().flat_map(|folder| {
        let pattern = format!("{}/ptx-tests/{folder}/*.ptx", env!("CARGO_MANIFEST_DIR"));
        glob::glob(&pattern).unwrap().map(Result::unwrap)
    });
    folders.chain([ACCESSES.into()]).collect()
}

/// The text for another target, in the version of PTX that knows all of them.
fn targeted(text: &str, arch: Arch) -> String {
    let lines = text
        .lines()
        .map(|line| match line.split_whitespace().next() {
            Some(".version") => ".version 8.8\n".to_owned(),
            Some(".target") => format!(".target {arch}\n"),
            _ => format!("{line}\n"),
        });
    lines.collect()
}

/// What the mnemonic says; none if it is neither memory nor control flow nor an exchange.
fn kind(line: &Line) -> Option<&'static str> {
    Some(match line.base() {
        "LDG" => "load global",
        "LD" => "load generic",
        "LDS" | "LDSM" => "load shared",
        "LDL" => "load local",
        "LDC" | "LDCU" | "ULDC" => "load constant",
        "TEX" | "TLD" | "TLD4" | "TXQ" | "SULD" => "load texture",
        "STG" => "store global",
        "ST" => "store generic",
        "STS" | "STSM" => "store shared",
        "STL" => "store local",
        "SUST" => "store texture",
        "ATOM" => "atomic generic",
        "ATOMG" => "atomic global",
        "ATOMS" => "atomic shared",
        "RED" | "REDG" => "reduction",
        "LDGSTS" => "copy",
        "LDGDEPBAR" => "copy group",
        "DEPBAR" => "scoreboard",
        "BRA" => "branch",
        "BRX" | "BRXU" | "JMX" => "computed branch",
        "CALL" => "call",
        "RET" => "return",
        "EXIT" | "KILL" => "exit",
        "BSSY" | "BSYNC" | "BREAK" | "WARPSYNC" | "YIELD" => "reconvergence",
        "BAR" | "SYNCS" | "UCGABAR_ARV" | "UCGABAR_WAIT" => "barrier",
        "MEMBAR" | "FENCE" | "CCTL" | "ERRBAR" => "fence",
        "SHFL" => "shuffle",
        "VOTE" | "VOTEU" | "MATCH" => "vote",
        "NOP" => "nop",
        name if name.starts_with("UBLK") || name.starts_with("UTMA") => "asynchronous",
        _ => return None,
    })
}

fn space(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Generic => "generic",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Constant => "constant",
        Space::Texture => "texture",
    }
}

fn decoded(instruction: &Instruction) -> Option<String> {
    Some(match instruction.kind {
        Kind::Load(one) => format!("load {}", space(one)),
        Kind::Store(one) => format!("store {}", space(one)),
        Kind::Atomic(one) => format!("atomic {}", space(one)),
        Kind::Reduction(_) => "reduction".into(),
        Kind::Copy => "copy".into(),
        Kind::CopyGroup => "copy group".into(),
        Kind::ScoreboardWait { .. } => "scoreboard".into(),
        Kind::Asynchronous => "asynchronous".into(),
        Kind::Branch(_) => "branch".into(),
        Kind::IndirectBranch => "computed branch".into(),
        Kind::Call => "call".into(),
        Kind::Return => "return".into(),
        Kind::Exit => "exit".into(),
        Kind::Reconvergence => "reconvergence".into(),
        Kind::Barrier => "barrier".into(),
        Kind::Fence => "fence".into(),
        Kind::Shuffle => "shuffle".into(),
        Kind::Vote => "vote".into(),
        Kind::Nop => "nop".into(),
        Kind::Other => return None,
    })
}

/// Mnemonics that the table above leaves out, but that the decoder has a kind for.
const FINER: [&str; 4] = ["reconvergence", "barrier", "fence", "asynchronous"];

fn width(line: &Line) -> Option<u16> {
    let simple = [
        "LDG", "LD", "LDS", "LDL", "LDC", "LDCU", "ULDC", "STG", "ST", "STS", "STL", "LDGSTS",
    ];
    simple.contains(&line.base()).then(|| {
        let widths = [
            ("U8", 8),
            ("S8", 8),
            ("U16", 16),
            ("S16", 16),
            ("64", 64),
            ("128", 128),
            ("256", 256),
        ];
        let found = widths.iter().find(|(modifier, _)| line.has(modifier));
        found.map_or(32, |&(_, width)| width)
    })
}

/// Whether the guard is the one of the line.
fn guard(line: &Line, instruction: &Instruction) -> bool {
    let text = line.guard.trim_start_matches('@');
    let (negated, name) = match text.strip_prefix('!') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let name = name.trim_start_matches('U');
    let predicate = match name {
        "" | "PT" => 7,
        name => name.strip_prefix('P').unwrap().parse().unwrap(),
    };
    (instruction.guard.predicate, instruction.guard.negated) == (predicate, negated)
}

/// The condition of a branch, as the listing spells it.
fn condition(line: &Line, condition: Condition) -> bool {
    let before = line.operands.split('`').next().unwrap();
    let predicate = before.split([',', ' ']).find(|one| one.contains('P'));
    let spelled = |prefix: &str, one: sass::Guard| match (one.predicate, one.negated) {
        (7, false) => None,
        (7, true) => Some(format!("!{prefix}T")),
        (number, true) => Some(format!("!{prefix}{number}")),
        (number, false) => Some(format!("{prefix}{number}")),
    };
    match condition {
        Condition::Diverged => line.has("DIV"),
        Condition::Converged => line.has("CONV"),
        Condition::Lane(one) => predicate == spelled("P", one).as_deref(),
        Condition::Uniform(one) => predicate == spelled("UP", one).as_deref(),
    }
}

/// What differs between an instruction and its line, in words.
fn difference(section: &Section, line: &Line, instruction: &Instruction) -> Option<&'static str> {
    let (expected, found) = (kind(line), decoded(instruction));
    let finer = expected.is_none() && found.as_deref().is_some_and(|one| FINER.contains(&one));
    if expected.map(str::to_owned) != found && !finer {
        return Some("kind");
    }
    if width(line) != instruction.width {
        return Some("width");
    }
    if !guard(line, instruction) {
        return Some("guard");
    }
    if let Kind::Branch(one) = instruction.kind
        && !condition(line, one)
    {
        return Some("condition");
    }
    let label = line
        .operands
        .split("`(")
        .nth(1)
        .and_then(|rest| rest.split(')').next());
    let target = label.and_then(|label| section.labels.get(label).copied());
    let jumps = line.base() == "BRA" || line.opcode.starts_with("CALL.REL");
    if jumps && (target.is_none() || target != instruction.target) {
        return Some("target");
    }
    if let Kind::ScoreboardWait { scoreboard, left } = instruction.kind
        && !line
            .operands
            .starts_with(&format!("SB{scoreboard}, {left:#x}"))
    {
        return Some("scoreboard");
    }
    // The only control bits that a listing shows.
    (line.operands.matches(".reuse").count() > instruction.control.reuse.count_ones() as usize)
        .then_some("reuse")
}

/// Registers that a text names, without those of the uniform datapath.
fn registers(text: &str) -> impl Iterator<Item = u32> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_prefix('R')?.parse().ok())
}

/// Scoreboards, by what they are for: whoever names a register that a load fills has waited for the load's scoreboard.
/// Returns how many times somebody did.
fn waits(section: &Section, code: &[Instruction]) -> Result<usize, String> {
    let mut flight: Vec<(std::ops::Range<u32>, u8)> = Vec::new();
    let mut waited = 0;
    for (line, instruction) in section.lines.iter().zip(code) {
        if line.labelled {
            flight.clear();
        }
        let waits = match instruction.kind {
            Kind::ScoreboardWait { scoreboard, .. } => 1 << scoreboard,
            _ => instruction.control.waits,
        };
        let before = flight.len();
        flight.retain(|(_, board)| waits >> board & 1 == 0);
        waited += before - flight.len();
        for register in registers(&line.operands) {
            if flight.iter().any(|(range, _)| range.contains(&register)) {
                return Err(format!("{:#x}: R{register} is read too early", line.at));
            }
        }
        if let (Kind::Load(_), Some(board)) = (instruction.kind, instruction.control.write_barrier)
            && line.guard != "@!PT"
            && let Some(first) = registers(line.operands.split(',').next().unwrap()).next()
            && !line.operands.starts_with('U')
        {
            let count = u32::from(instruction.width.unwrap_or(32))
                .div_ceil(32)
                .min(4);
            flight.push((first..first + count, board));
        }
    }
    Ok(waited)
}

/// Compares one kernel; how many instructions it has, and how many registers are waited for.
fn compare(section: &Section, kernel: &KernelCode) -> Result<(usize, usize), String> {
    let refused = |refusal: sass::Refusal| refusal.to_string();
    let code = kernel.instructions.as_ref().map_err(|&one| refused(one))?;
    if section.lines.len() != code.len() {
        return Err(format!("{} instructions", code.len()));
    }
    for (line, instruction) in section.lines.iter().zip(code) {
        assert_eq!(line.at, instruction.at);
        if let Some(what) = difference(section, line, instruction) {
            let Line {
                guard,
                opcode,
                operands,
                ..
            } = line;
            return Err(format!(
                "{what} of {guard} {opcode} {operands}: {instruction:?}"
            ));
        }
    }
    kernel.path_counts().map_err(refused)?;
    Ok((code.len(), waits(section, code)?))
}

#[test]
fn instructions_are_what_nvdisasm_says() {
    let files = files();
    assert!(files.len() > 150, "{}", files.len());
    let jobs: Vec<(usize, &PathBuf, &str)> = files
        .iter()
        .enumerate()
        .flat_map(|(number, file)| {
            let archs = ARCHS.iter().enumerate();
            let every = crate::soak() || file.as_os_str() == ACCESSES;
            let mine =
                archs.filter(move |(index, _)| every || number % (4 * ARCHS.len()) == *index);
            mine.map(move |(index, arch)| (index, file, *arch))
        })
        .collect();
    let compared: Vec<_> = jobs
        .par_iter()
        .filter_map(|&(index, file, arch)| {
            let name = format!("{} {arch}", file.file_name().unwrap().display());
            let arch: Arch = arch.parse().unwrap();
            let assembler = listing::assembler(arch)?;
            let text = targeted(&fs::read_to_string(file).unwrap(), arch);
            let cubin = listing::cubin(&assembler, text.as_bytes(), arch)?;
            let sections = listing::sections(&cubin, arch)?;
            let kernels = sass::kernels(&cubin).unwrap();
            let results = kernels.iter().map(|kernel| {
                assert_eq!(kernel.target, u32::from(arch.number));
                assert!(kernel.registers > 0, "{name}");
                let section = sections.iter().find(|one| one.name == kernel.name);
                compare(section.expect("its section"), kernel)
                    .map_err(|error| format!("{name} {}: {error}", kernel.name))
            });
            let sum = |all: (usize, usize), one: (usize, usize)| (all.0 + one.0, all.1 + one.1);
            let all = results.collect::<Result<Vec<_>, String>>();
            Some((index, all.map(|all| all.into_iter().fold((0, 0), sum))))
        })
        .collect();
    if compared.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "no ptxas or no nvdisasm");
        return eprintln!("skipped: no ptxas or no nvdisasm");
    }
    let different: Vec<&String> = compared
        .iter()
        .filter_map(|one| one.1.as_ref().err())
        .collect();
    assert!(different.is_empty(), "{different:#?}");
    for (index, arch) in ARCHS.iter().enumerate() {
        let mine = compared.iter().filter(|one| one.0 == index);
        let mine = mine.filter_map(|one| one.1.as_ref().ok());
        let (instructions, waited) = mine.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        println!("{arch}: {instructions} instructions, {waited} waits");
        let [least, least_waits] = if crate::soak() {
            [1000, 100]
        } else {
            [400, 30]
        };
        assert!(
            instructions > least && waited > least_waits,
            "{arch}: {instructions}, {waited}"
        );
    }
}
