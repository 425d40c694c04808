//! Types and special registers as words, both ways.

use crate::types::{Kind, LaneMask, Special, Type};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};

/// Kinds whose width follows.
const SIZED: [(&str, Kind); 6] = [
    ("bf", Kind::BFloat),
    ("b", Kind::Bits),
    ("u", Kind::Unsigned),
    ("s", Kind::Signed),
    ("f", Kind::Float),
    ("x", Kind::Other),
];
/// Types with a name of their own.
const NAMED: [(&str, Type); 5] = [
    ("pred", Type::PRED),
    ("f16x2", Type::new(Kind::Float16x2, 32)),
    ("bf16x2", Type::new(Kind::BFloat16x2, 32)),
    ("u16x2", Type::new(Kind::Unsigned16x2, 32)),
    ("s16x2", Type::new(Kind::Signed16x2, 32)),
];

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, ty)| ty.kind == self.kind) {
            return f.write_str(name);
        }
        let name = SIZED.iter().find(|(_, kind)| *kind == self.kind);
        write!(f, "{}{}", name.map_or("x", |(name, _)| name), self.bits)
    }
}

impl Debug for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// The type of a word: `s32`, `pred`, `f16x2`.
pub(super) fn type_of(word: &str) -> Option<Type> {
    if let Some((_, ty)) = NAMED.iter().find(|(name, _)| *name == word) {
        return Some(*ty);
    }
    SIZED.iter().find_map(|(name, kind)| {
        let bits = word.strip_prefix(name)?.parse().ok()?;
        Some(Type::new(*kind, bits))
    })
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<'de, str>::deserialize(deserializer)?;
        type_of(&word).ok_or_else(|| de::Error::custom(format!("unknown type `{word}`")))
    }
}

/// Special registers without a number of their own.
const SPECIALS: [(&str, Special); 14] = [
    ("laneid", Special::LaneId),
    ("warpid", Special::WarpId),
    ("nwarpid", Special::NWarpId),
    ("lanemask_eq", Special::LaneMask(LaneMask::Eq)),
    ("lanemask_le", Special::LaneMask(LaneMask::Le)),
    ("lanemask_lt", Special::LaneMask(LaneMask::Lt)),
    ("lanemask_ge", Special::LaneMask(LaneMask::Ge)),
    ("lanemask_gt", Special::LaneMask(LaneMask::Gt)),
    ("dynamic_smem_size", Special::DynamicSharedSize),
    ("total_smem_size", Special::TotalSharedSize),
    ("gridid", Special::GridId),
    ("smid", Special::SmId),
    ("nsmid", Special::NSmId),
    ("clock", Special::Clock),
];
/// The maker of a special register from its axis.
type OfAxis = fn(u8) -> Special;
/// Those with an axis.
const AXES: [(&str, OfAxis); 4] = [
    ("tid", Special::Tid),
    ("ntid", Special::Ntid),
    ("ctaid", Special::Ctaid),
    ("nctaid", Special::Nctaid),
];

impl Display for Special {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = SPECIALS.iter().find(|(_, special)| special == self) {
            return write!(f, "%{name}");
        }
        let (name, axis) = match *self {
            Special::Tid(axis) => ("tid", axis),
            Special::Ntid(axis) => ("ntid", axis),
            Special::Ctaid(axis) => ("ctaid", axis),
            Special::Nctaid(axis) => ("nctaid", axis),
            Special::Other(number) => return write!(f, "%special{number}"),
            // All others are in the table.
            _ => return Err(fmt::Error),
        };
        let letters = ["x", "y", "z"];
        write!(
            f,
            "%{name}.{}",
            letters.get(usize::from(axis)).ok_or(fmt::Error)?
        )
    }
}

/// The special register of a word, without its `%`.
pub(super) fn special_of(word: &str) -> Option<Special> {
    if let Some((_, special)) = SPECIALS.iter().find(|(name, _)| *name == word) {
        return Some(*special);
    }
    if let Some(number) = word.strip_prefix("special") {
        return number.parse().ok().map(Special::Other);
    }
    let (name, axis) = word.split_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|letter| *letter == axis)?;
    let (_, of_axis) = AXES.iter().find(|(known, _)| *known == name)?;
    Some(of_axis(axis as u8))
}
