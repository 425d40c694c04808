//! Types, state spaces and special registers of the virtual machine, without any surface syntax.

use serde::{Deserialize, Serialize};

/// How the bits of an operand are read (PTX ISA, "Fundamental Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A predicate: one bit.
    Predicate,
    /// Untyped bits (`.bN`).
    Bits,
    /// Unsigned integer (`.uN`).
    Unsigned,
    /// Two's complement integer (`.sN`).
    Signed,
    /// IEEE 754 binary16, binary32, binary64 (`.fN`).
    Float,
    /// `.bf16`
    BFloat,
    /// Two packed halves in 32 bits (`.f16x2`).
    Float16x2,
    /// Two packed bfloats in 32 bits (`.bf16x2`).
    BFloat16x2,
    /// Two packed integers in 32 bits (`.u16x2`).
    Unsigned16x2,
    /// Two packed integers in 32 bits (`.s16x2`).
    Signed16x2,
    /// Anything narrower or stranger (`.e4m3x2`, `.tf32`, ...): bits that no operation here computes with.
    Other,
}

/// A type: a kind and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    /// How the bits are read.
    pub kind: Kind,
    /// 1, 8, 16, 32, 64 or 128.
    pub bits: u8,
}

impl Type {
    /// The type of `kind` with `bits` bits.
    pub const fn new(kind: Kind, bits: u8) -> Self {
        Type { kind, bits }
    }
    /// `.pred`
    pub const PRED: Type = Type::new(Kind::Predicate, 1);
    /// `.b32`
    pub const B32: Type = Type::new(Kind::Bits, 32);
    /// `.b64`
    pub const B64: Type = Type::new(Kind::Bits, 64);
    /// `.b128`
    pub const B128: Type = Type::new(Kind::Bits, 128);
    /// `.u32`
    pub const U32: Type = Type::new(Kind::Unsigned, 32);
    /// `.s32`
    pub const S32: Type = Type::new(Kind::Signed, 32);
    /// `.u64`
    pub const U64: Type = Type::new(Kind::Unsigned, 64);
    /// `.s64`
    pub const S64: Type = Type::new(Kind::Signed, 64);
    /// `.f32`
    pub const F32: Type = Type::new(Kind::Float, 32);
    /// `.f64`
    pub const F64: Type = Type::new(Kind::Float, 64);

    /// Two's complement.
    pub const fn signed(self) -> bool {
        matches!(self.kind, Kind::Signed)
    }
    /// Any floating-point kind, packed ones included.
    pub const fn float(self) -> bool {
        matches!(
            self.kind,
            Kind::Float | Kind::BFloat | Kind::Float16x2 | Kind::BFloat16x2
        )
    }
}

/// A state space (PTX ISA, "State Spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Space {
    /// No space given: the address says.
    Generic,
    /// `.global`
    Global,
    /// `.const`
    Const,
    /// `.shared`, `.shared::cta`
    Shared,
    /// `.shared::cluster`
    SharedCluster,
    /// `.local`
    Local,
    /// `.param` of a kernel: read-only, equal in all threads.
    ParamEntry,
    /// `.param` of a device function or of a call sequence: private to the thread.
    ParamFunc,
}

impl Space {
    /// Whether two explicit spaces can hold the same byte.
    pub fn may_overlap(self, other: Space) -> bool {
        use Space::*;
        self == other
            || self == Generic
            || other == Generic
            || matches!(
                (self, other),
                (Shared, SharedCluster) | (SharedCluster, Shared)
            )
    }
}

/// A special register (PTX ISA, "Special Registers"). Those that no analysis here gives a meaning are [`Special::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Special {
    /// `%tid.x/.y/.z` by axis 0, 1, 2.
    Tid(u8),
    /// `%ntid`
    Ntid(u8),
    /// `%ctaid`
    Ctaid(u8),
    /// `%nctaid`
    Nctaid(u8),
    /// `%laneid`
    LaneId,
    /// `%warpid`
    WarpId,
    /// `%nwarpid`
    NWarpId,
    /// `%lanemask_eq`, `_le`, `_lt`, `_ge`, `_gt`
    LaneMask(LaneMask),
    /// `%dynamic_smem_size`
    DynamicSharedSize,
    /// `%total_smem_size`
    TotalSharedSize,
    /// `%gridid`
    GridId,
    /// `%smid`
    SmId,
    /// `%nsmid`
    NSmId,
    /// `%clock`, `%clock_hi`, `%clock64`, `%globaltimer*`, `%pm*`: another value at each read.
    Clock,
    /// Any other: opaque per thread and per read. The number is the front end's.
    Other(u16),
}

impl Special {
    /// Whether it may change while a thread runs: so do the counters, and `%warpid` and `%smid` where a thread is moved
    /// (PTX ISA, "Special Registers"). What changes is no value of a function, but the result of an instruction.
    pub fn changes(self) -> bool {
        use Special::*;
        matches!(self, Clock | Other(_) | WarpId | SmId | NSmId)
    }
}

/// Which of the `%lanemask_*` registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum LaneMask {
    Eq,
    Le,
    Lt,
    Ge,
    Gt,
}
