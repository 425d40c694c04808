//! Opcodes of sm_70 and later, as far as their kind goes.
//!
//! The low nine bits of an instruction name it; the next three select the form of its operands. The table was drawn up by
//! giving every value, in every form and with many operands, to `nvdisasm` 13.5 for sm_75 to sm_120. Where one value has
//! two names on two targets, both are of one kind.

/// The memory that an instruction addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Global memory (`LDG`, `STG`).
    Global,
    /// Whatever the address says: global, shared or local memory (`LD`, `ST`).
    Generic,
    /// Shared memory (`LDS`, `STS`, `LDSM`, `STSM`).
    Shared,
    /// Local memory: the thread's stack, spilled registers among it (`LDL`, `STL`).
    Local,
    /// Banks of constants (`LDC`, `LDCU`, `ULDC`).
    Constant,
    /// Textures and surfaces.
    Texture,
}

/// What an instruction does, as far as memory and control flow go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Reads memory into registers.
    Load(Space),
    /// Writes memory.
    Store(Space),
    /// Reads and writes memory, and returns the old value (`ATOM`).
    Atomic(Space),
    /// Reads and writes memory and returns nothing (`RED`).
    Reduction(Space),
    /// Copies from global to shared memory without a register between (`LDGSTS`).
    Copy,
    /// Closes a group of copies, which a scoreboard then counts (`LDGDEPBAR`).
    CopyGroup,
    /// Waits until a scoreboard counts no more than `left` operations (`DEPBAR.LE`).
    ScoreboardWait {
        /// The scoreboard, 0 to 5.
        scoreboard: u8,
        /// How many operations may still be in flight.
        left: u8,
    },
    /// Memory operations that run beside the warp and that no scoreboard follows: bulk and tensor copies, matrix operations on
    /// shared and tensor memory.
    Asynchronous,
    /// Jumps, if its guard and its condition hold (`BRA`).
    Branch(Condition),
    /// Jumps to an address in a register (`BRX`, `JMX`).
    IndirectBranch,
    /// Calls a function.
    Call,
    /// Ends a function.
    Return,
    /// Ends the thread (`EXIT`, `KILL`).
    Exit,
    /// Marks or reaches a point where lanes come together again (`BSSY`, `BSYNC`, `WARPSYNC`, `BREAK`, `YIELD`); a warp whose
    /// lanes are together goes on.
    Reconvergence,
    /// Waits for other warps, or signals them (`BAR`, `SYNCS`, barriers of clusters).
    Barrier,
    /// Orders memory or handles caches (`MEMBAR`, `FENCE`, `CCTL`).
    Fence,
    /// Exchanges values between lanes (`SHFL`).
    Shuffle,
    /// Exchanges predicates between lanes (`VOTE`, `MATCH`).
    Vote,
    /// Nothing (`NOP`).
    Nop,
    /// Neither memory nor control flow.
    Other,
}

/// What a branch asks besides its guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The second predicate holds in a lane; no second predicate is the constant true.
    Lane(super::Guard),
    /// The uniform predicate holds (`BRA.U UP0`).
    Uniform(super::Guard),
    /// The lanes of a mask are not all together (`BRA.DIV`).
    Diverged,
    /// They are all together (`BRA.CONV`).
    Converged,
}

/// The kind that an opcode has, of which a branch's condition and a wait's operands are in other bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Plain(Kind),
    Branch,
    ScoreboardWait,
}

/// The kind of an opcode of nine bits; none if it is not known.
pub(super) fn class(opcode: u16) -> Option<Class> {
    use Kind::{Atomic, Load, Reduction, Store};
    use Space::{Constant, Generic, Global, Local, Shared, Texture};
    let kind = match opcode {
        0x147 => return Some(Class::Branch),
        0x11a => return Some(Class::ScoreboardWait),
        0x180 => Load(Generic),
        // The second one is for accesses of 256 bits.
        0x181 | 0x17e => Load(Global),
        0x182 | 0x1ac | 0x0b8 | 0x0b9 | 0x0bb => Load(Constant),
        0x183 => Load(Local),
        0x184 | 0x03b => Load(Shared),
        // `TEX`, `TLD4`, `TLD`, `TMML`, `TXD`, `TXQ`; `SULD`; `SUQUERY`.
        0x160..=0x171 | 0x197..=0x19a | 0x1b3 => Load(Texture),
        0x185 => Store(Generic),
        0x186 | 0x17f | 0x177 => Store(Global),
        0x187 => Store(Local),
        0x188 | 0x044 => Store(Shared),
        0x19b..=0x19e => Store(Texture),
        0x18a | 0x18b | 0x1a2 => Atomic(Generic),
        0x1a3 | 0x1a8 | 0x1a9 => Atomic(Global),
        0x18c | 0x18d => Atomic(Shared),
        0x193..=0x196 => Atomic(Texture),
        0x18e | 0x1a6 | 0x178 => Reduction(Global),
        0x19f | 0x1a0 => Reduction(Texture),
        0x1ae => Kind::Copy,
        0x1af => Kind::CopyGroup,
        // `LDTRAM`; `UTMA*`, `UBLK*`, `STAS`, `REDAS`; `UMEMSETS`; `UTC*`, `STTM`, `LDTM`; `HGMMA` and its kin.
        0x1ad | 0x1b4..=0x1be | 0x1cb | 0x1e3 | 0x1e6..=0x1ee | 0x1f0..=0x1f3 => Kind::Asynchronous,
        0x149 | 0x14a | 0x14c | 0x158 | 0x159 => Kind::IndirectBranch,
        0x143 | 0x144 => Kind::Call,
        0x150 => Kind::Return,
        0x14d | 0x15b => Kind::Exit,
        // `BSYNC`, `BREAK`, `BSSY`, `YIELD`, `WARPSYNC`, `ENDCOLLECTIVE`, `ELECT`, `BMOV`, `WARPGROUP*`.
        0x141 | 0x142 | 0x145 | 0x146 | 0x148 | 0x11b | 0x02f | 0x155..=0x157 | 0x15e | 0x1c5 => {
            Kind::Reconvergence
        }
        // `BAR`, `B2R`, `ARRIVES`, `SYNCS`, `UCGABAR_*`; `PREEXIT`, `ACQBULK`, `ACQSHMINIT` of dependent grids.
        0x11d | 0x11c | 0x1b0 | 0x1a7 | 0x1b1 | 0x1b2 | 0x1c7 | 0x02d | 0x02e | 0x077 => {
            Kind::Barrier
        }
        0x13f | 0x140 | 0x18f..=0x192 | 0x1ab | 0x1c6 => Kind::Fence,
        0x189 => Kind::Shuffle,
        0x006 | 0x086 | 0x1a1 => Kind::Vote,
        0x118 => Kind::Nop,
        _ if is_other(opcode) => Kind::Other,
        _ => return None,
    };
    Some(Class::Plain(kind))
}

/// Whether an opcode is known as one that touches neither memory nor control flow.
fn is_other(opcode: u16) -> bool {
    matches!(opcode,
        // Arithmetic, conversions, moves and matrix operations on registers.
        0x001..=0x00c | 0x00f..=0x02c | 0x030..=0x03a | 0x03c..=0x040 | 0x043 | 0x045..=0x04b | 0x04d..=0x056
        | 0x059..=0x05e | 0x076 | 0x07a..=0x07d | 0x07f
        // The same in uniform registers.
        | 0x082..=0x085 | 0x087 | 0x08c | 0x090..=0x092 | 0x096 | 0x097 | 0x099..=0x09f | 0x0a4..=0x0a6
        | 0x0ba | 0x0bc..=0x0bf | 0x0ca..=0x0cc
        // Operations of the slow pipes, special registers.
        | 0x100..=0x102 | 0x104..=0x113 | 0x119
        // `LEPC`, `RPCMOV`, `BPT`, `NANOSLEEP`: a trap does not go on, but no path through it is of interest.
        | 0x14e | 0x152..=0x154 | 0x15c | 0x15d
        // `QSPC`, `GETLMEMBASE`, `SETLMEMBASE`, `R2UR`, `S2UR`, `REDUX`, `USETMAXREG`, `ULEPC`.
        | 0x1aa | 0x1c0..=0x1c4 | 0x1c8 | 0x1ce)
}
