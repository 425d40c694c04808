//! Machine code as `nvdisasm` lists it: instructions of each kernel, how many there are, and how many of them a warp goes
//! through ([`hot`]). For tests and benchmarks, which compare texts that the clock does not take, too: it reads machine code by
//! itself.

mod flow;
mod hot;

use ptxasw::toolchain::{Assembled, Assembler, ToolchainError};

/// How many instructions of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// All instructions.
    pub instructions: u32,
    /// Loads from global memory (`LDG`).
    pub global_loads: u32,
    /// Warp shuffles (`SHFL`).
    pub shuffles: u32,
    /// Votes (`VOTE`, `VOTEU`), among which is what `activemask` becomes.
    pub votes: u32,
}

/// Machine instructions of one kernel, padding left out.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SassCount {
    /// Name of the function.
    pub name: String,
    /// All instructions but `NOP`, the endless loop after the last exit, and the shuffle that never runs, which
    /// `ptxas` puts at the start of code for sm_70.
    pub all: Counts,
    /// Those that a full warp goes through: see `hot`.
    pub hot: Counts,
}

/// One instruction of a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Instruction<'l> {
    /// Guarded by a predicate that may be false.
    guarded: bool,
    /// The opcode with its modifiers.
    opcode: &'l str,
    /// The rest.
    operands: &'l str,
}

impl Instruction<'_> {
    /// The opcode without modifiers.
    fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    fn counts(&self) -> Counts {
        let one = |names: &[&str]| u32::from(names.contains(&self.base()));
        Counts {
            instructions: 1,
            global_loads: one(&["LDG"]),
            shuffles: one(&["SHFL"]),
            votes: one(&["VOTE", "VOTEU"]),
        }
    }
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.instructions += other.instructions;
        self.global_loads += other.global_loads;
        self.shuffles += other.shuffles;
        self.votes += other.votes;
    }
}

/// The instructions of one function, padding left out.
#[derive(Default, Debug)]
struct Listing<'l> {
    name: &'l str,
    instructions: Vec<Instruction<'l>>,
    /// Labels, each with the index of the instruction after it.
    labels: Vec<(&'l str, usize)>,
}

/// Counts the machine instructions of an assembled module.
pub fn counted(assembler: &Assembler, code: &Assembled) -> Result<Vec<SassCount>, ToolchainError> {
    Ok(parse(&assembler.listing(code)?))
}

/// Reads the listing that `nvdisasm -c` prints.
fn parse(listing: &str) -> Vec<SassCount> {
    listings(listing)
        .iter()
        .map(|listing| {
            let mut all = Counts::default();
            listing
                .instructions
                .iter()
                .for_each(|instruction| all.add(instruction.counts()));
            SassCount {
                name: listing.name.to_owned(),
                all,
                hot: hot::counts(listing),
            }
        })
        .collect()
}

fn listings(text: &str) -> Vec<Listing<'_>> {
    let mut functions: Vec<Listing> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix(".text.") {
            functions.push(Listing {
                name: name.trim_end_matches(':'),
                ..Listing::default()
            });
            continue;
        }
        let Some(function) = functions.last_mut() else {
            continue;
        };
        if let Some(name) = line.strip_suffix(':') {
            function.labels.push((name, function.instructions.len()));
        } else if let Some(instruction) = instruction(line)
            && !function.is_padding(&instruction)
        {
            function.instructions.push(instruction);
        }
    }
    functions
}

impl Listing<'_> {
    /// `NOP`, a jump to itself, or a shuffle that no lane executes.
    fn is_padding(&self, instruction: &Instruction) -> bool {
        match instruction.opcode {
            "NOP" => true,
            "SHFL.IDX" => {
                instruction.guarded && instruction.operands.starts_with("PT, RZ, RZ, RZ, RZ")
            }
            "BRA" => self.labels.last().is_some_and(|&(name, at)| {
                at == self.instructions.len() && target(instruction.operands) == Some(name)
            }),
            _ => false,
        }
    }
}

/// The label in ``UR4, `(.L_x_3)``.
fn target(operands: &str) -> Option<&str> {
    let (_, after) = operands.split_once("`(")?;
    Some(after.split_once(')')?.0)
}

/// Reads `/*0010*/ @!P0 LDG.E R1, [R2.64] ;`.
fn instruction(line: &str) -> Option<Instruction<'_>> {
    let (_, text) = line.strip_prefix("/*")?.split_once("*/")?;
    let text = text.trim();
    let (guarded, text) = match text.strip_prefix('@') {
        Some(after) => (true, after.split_once(char::is_whitespace)?.1.trim_start()),
        None => (false, text),
    };
    let text = text.split(';').next()?.trim();
    let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (!opcode.is_empty()).then_some(Instruction {
        guarded,
        opcode,
        operands: operands.trim(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_counted() {
        let listing = "
\t.section\t.text.k,\"ax\",@progbits
k:
.text.k:
        /*0000*/              @!PT SHFL.IDX PT, RZ, RZ, RZ, RZ ;
        /*0008*/                   S2R R6, SR_CTAID.X ;
        /*0010*/              @!P0 BRA `(.L_x_0) ;
        /*0020*/              @!P1 LDG.E.CONSTANT R16, [R6.64] ;
.L_x_0:
        /*0030*/                   SHFL.DOWN PT, R2, R3, 0x1, R4 ;
        /*0040*/                   EXIT ;
.L_x_3:
        /*0050*/                   BRA `(.L_x_3);
        /*0060*/                   NOP;
";
        let all = Counts {
            instructions: 5,
            global_loads: 1,
            shuffles: 1,
            votes: 0,
        };
        let count = SassCount {
            name: "k".into(),
            all,
            hot: all,
        };
        assert_eq!(parse(listing), [count]);
    }
}
