//! One machine instruction: 128 bits since sm_70.

use super::opcode::{Class, Condition, Kind, Space, class};

/// Bytes of an instruction.
pub const BYTES: u32 = 16;

/// A predicate register or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// 0 to 6; 7 is the constant true. A uniform predicate where the instruction runs on the uniform datapath.
    pub predicate: u8,
    /// Holds where the predicate does not.
    pub negated: bool,
}

impl Guard {
    const TRUE: u8 = 7;
    /// Holds in no lane.
    pub(super) const NEVER: Self = Guard {
        predicate: Self::TRUE,
        negated: true,
    };

    fn new(bits: u128) -> Self {
        Guard {
            predicate: (bits & 7) as u8,
            negated: bits & 8 != 0,
        }
    }

    /// Whether it holds in every lane.
    pub fn is_always(self) -> bool {
        self.predicate == Self::TRUE && !self.negated
    }

    /// Whether it holds in no lane.
    pub fn is_never(self) -> bool {
        self.predicate == Self::TRUE && self.negated
    }
}

/// The schedule that `ptxas` has written into an instruction, from bit 105 on (Jia et al., arXiv 1804.06826, section 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Control {
    /// Cycles until the warp may issue its next instruction.
    pub stall: u8,
    /// Bit 109 as it is: 0 asks the scheduler to turn to another warp.
    pub yield_bit: bool,
    /// The scoreboard, 0 to 5, that counts this instruction until its result is there.
    pub write_barrier: Option<u8>,
    /// The scoreboard that counts it until its operands are read.
    pub read_barrier: Option<u8>,
    /// The scoreboards that must count nothing before it is issued, one bit each.
    pub waits: u8,
    /// Operands that are kept for the next instruction, one bit each.
    pub reuse: u8,
}

impl Control {
    fn new(word: u128) -> Self {
        // 7 is none; there is no scoreboard 6.
        let scoreboard = |at| Some(field(word, at, 3) as u8).filter(|&one| one < 6);
        Control {
            stall: field(word, 105, 4) as u8,
            yield_bit: field(word, 109, 1) != 0,
            write_barrier: scoreboard(110),
            read_barrier: scoreboard(113),
            waits: field(word, 116, 6) as u8,
            reuse: field(word, 122, 4) as u8,
        }
    }
}

/// A decoded instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Byte offset in the section.
    pub at: u32,
    /// What it does.
    pub kind: Kind,
    /// The low nine bits of the word, which name it.
    pub opcode: u16,
    /// Bits that each thread loads, stores or copies; none for matrices, textures and atomics, and for all else.
    pub width: Option<u16>,
    /// Where it is executed.
    pub guard: Guard,
    /// Byte offset in the section of a direct jump's or call's target. One that a relocation names has none.
    pub target: Option<u32>,
    /// Its schedule.
    pub control: Control,
}

impl Instruction {
    /// Decodes the word at a byte offset of a section, for sm_70 or later. None if the opcode is not known.
    pub fn decode(word: u128, at: u32, target: u32) -> Option<Self> {
        let opcode = field(word, 0, 9) as u16;
        let kind = match class(opcode)? {
            Class::Plain(kind) => kind,
            Class::Branch => Kind::Branch(condition(word)),
            Class::ScoreboardWait => Kind::ScoreboardWait {
                scoreboard: field(word, 44, 3) as u8,
                left: field(word, 38, 6) as u8,
            },
        };
        let jumps = matches!(kind, Kind::Branch(_)) || opcode == RELATIVE_CALL;
        Some(Instruction {
            at,
            kind,
            opcode,
            width: width(word, opcode, kind),
            guard: Guard::new(field(word, 12, 4)),
            target: jumps.then(|| destination(word, at, target)).flatten(),
            control: Control::new(word),
        })
    }

    /// Whether it may be executed at all.
    pub fn is_executed(&self) -> bool {
        !self.guard.is_never() && self.kind != Kind::Nop
    }

    /// Whether it jumps to itself, as the code after the last exit does.
    pub fn is_endless(&self) -> bool {
        self.target == Some(self.at)
    }
}

const RELATIVE_CALL: u16 = 0x144;
/// `LDSM`, `STSM`: the width is that of a matrix's element.
const MATRICES: [u16; 2] = [0x03b, 0x044];
/// `LDG` and `STG` of 256 bits.
const WIDE: [u16; 2] = [0x17e, 0x17f];

fn field(word: u128, at: u32, bits: u32) -> u128 {
    (word >> at) & ((1 << bits) - 1)
}

fn width(word: u128, opcode: u16, kind: Kind) -> Option<u16> {
    if MATRICES.contains(&opcode) {
        return None;
    }
    if WIDE.contains(&opcode) {
        return Some(256);
    }
    let simple = match kind {
        Kind::Load(space) | Kind::Store(space) => space != Space::Texture,
        kind => kind == Kind::Copy,
    };
    simple.then(|| match field(word, 73, 3) {
        0 | 1 => 8,
        2 | 3 => 16,
        4 => 32,
        5 => 64,
        _ => 128,
    })
}

fn condition(word: u128) -> Condition {
    match field(word, 32, 2) {
        2 => Condition::Diverged,
        3 => Condition::Converged,
        _ if field(word, 9, 3) == 2 => Condition::Uniform(Guard::new(field(word, 24, 4))),
        _ => Condition::Lane(Guard::new(field(word, 87, 4))),
    }
}

/// Relative to the next instruction, in units of four bytes; since sm_90 its low eight bits have a place of their own.
fn destination(word: u128, at: u32, target: u32) -> Option<u32> {
    let high = (field(word, 34, 48) as i64) << 16 >> 16;
    let units = match target >= 90 {
        true => high << 8 | field(word, 16, 8) as i64,
        false => high,
    };
    let from = i64::from(at) + i64::from(BYTES);
    u32::try_from(from.checked_add(units.checked_mul(4)?)?).ok()
}
