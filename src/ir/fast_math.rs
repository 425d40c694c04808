//! What the author of an operation on floating-point numbers lets a compiler do with it: LLVM's fast-math flags.

use std::fmt;

/// A set of permissions. `afn` of LLVM is left out: it is about functions that no pass rewrites.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FastMath(u8);

impl FastMath {
    /// No permission: every bit of the result counts.
    pub const NONE: FastMath = FastMath(0);
    /// Sums and products may be computed in another order.
    pub const REASSOC: FastMath = FastMath(1);
    /// No operand and no result is a NaN.
    pub const NNAN: FastMath = FastMath(1 << 1);
    /// No operand and no result is infinite.
    pub const NINF: FastMath = FastMath(1 << 2);
    /// The sign of a zero does not matter.
    pub const NSZ: FastMath = FastMath(1 << 3);
    /// A quotient may be a product with a reciprocal.
    pub const ARCP: FastMath = FastMath(1 << 4);
    /// A product and a sum may be rounded once, as one `fma`.
    pub const CONTRACT: FastMath = FastMath(1 << 5);

    /// LLVM's names of all permissions. Bits that come from C++ are in this order.
    pub const NAMES: [(&'static str, FastMath); 6] = [
        ("reassoc", Self::REASSOC),
        ("nnan", Self::NNAN),
        ("ninf", Self::NINF),
        ("nsz", Self::NSZ),
        ("arcp", Self::ARCP),
        ("contract", Self::CONTRACT),
    ];

    /// The set of these bits, in the order of [`FastMath::NAMES`].
    pub const fn of_bits(bits: u8) -> Self {
        FastMath(bits & 0x3f)
    }

    /// The permission of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, one)| one)
    }

    /// The names of the permissions in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = Self::NAMES.into_iter();
        all.filter(move |(_, one)| self.has(*one))
            .map(|(name, _)| name)
    }

    /// Whether all permissions of another set are in this one.
    pub const fn has(self, needed: Self) -> bool {
        self.0 & needed.0 == needed.0
    }

    /// What one of two sets has.
    pub const fn or(self, other: Self) -> Self {
        FastMath(self.0 | other.0)
    }

    /// What both sets have: what holds for a value that operations of both make.
    pub const fn and(self, other: Self) -> Self {
        FastMath(self.0 & other.0)
    }

    /// The set without the permissions of another one.
    pub const fn without(self, other: Self) -> Self {
        FastMath(self.0 & !other.0)
    }
}

impl fmt::Display for FastMath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names().collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for FastMath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FastMath({self})")
    }
}
