//! Generic addresses in the concrete domain: where each state space lies in them.
//!
//! Every space but global has a window of 16 MiB; a generic address outside of all windows is global. An executor that
//! keeps its memory to this layout can leave `cvta`, `cvta.to` and `isspacep` to [`super::fold`]. Addresses of global
//! memory are their own generic addresses.

use crate::op::Op;
use crate::types::Space;
use std::ops::Range;

/// Bytes of a window.
pub const WINDOW_BYTES: u64 = 1 << 24;

/// The generic addresses of a space; none for global and generic ones, which have what is left. The windows lie below
/// 2^32, so that 32-bit modules have the same.
pub fn window(space: Space) -> Option<Range<u64>> {
    let start = match space {
        Space::Generic | Space::Global => return None,
        Space::Shared | Space::SharedCluster => 0xFB00_0000,
        Space::Local => 0xFC00_0000,
        Space::ParamEntry | Space::ParamFunc => 0xFD00_0000,
        Space::Const => 0xFE00_0000,
    };
    Some(start..start + WINDOW_BYTES)
}

/// The windows, one after the other.
const ALL_WINDOWS: Range<u64> = 0xFB00_0000..0xFF00_0000;

/// `cvta`, `cvta.to` and `isspacep`. An address that does not belong to the space (the PTX ISA leaves the result open) is
/// moved all the same.
pub(super) fn compute(op: &Op, address: u64) -> u64 {
    match *op {
        Op::ToGeneric { space, .. } => address.wrapping_add(start(space)),
        Op::FromGeneric { space, .. } => address.wrapping_sub(start(space)),
        Op::IsSpace { space } => u64::from(match window(space) {
            Some(window) => window.contains(&address),
            None => space == Space::Generic || !ALL_WINDOWS.contains(&address),
        }),
        _ => address,
    }
}

/// What is added to an address of `space` to make it generic.
fn start(space: Space) -> u64 {
    window(space).map_or(0, |window| window.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::fold;

    const SPACES: [Space; 8] = [
        Space::Generic,
        Space::Global,
        Space::Const,
        Space::Shared,
        Space::SharedCluster,
        Space::Local,
        Space::ParamEntry,
        Space::ParamFunc,
    ];

    #[test]
    fn there_and_back() {
        for (space, width) in SPACES.into_iter().flat_map(|s| [(s, 32), (s, 64)]) {
            let generic = fold(&Op::ToGeneric { space, width }, &[0x1234])[0];
            assert_eq!(
                fold(&Op::FromGeneric { space, width }, &[generic])[0],
                0x1234
            );
        }
        let space = Space::Global;
        assert_eq!(
            fold(&Op::ToGeneric { space, width: 64 }, &[0x1234])[0],
            0x1234
        );
        let space = Space::Shared;
        assert_eq!(
            fold(&Op::ToGeneric { space, width: 32 }, &[0x1234])[0],
            0xFB00_1234
        );
    }

    #[test]
    fn windows_are_distinguished() {
        for space in [Space::Shared, Space::Local, Space::ParamEntry] {
            let generic = fold(&Op::ToGeneric { space, width: 64 }, &[16])[0];
            for other in [
                Space::Global,
                Space::Shared,
                Space::Local,
                Space::ParamEntry,
            ] {
                let is = fold(&Op::IsSpace { space: other }, &[generic])[0];
                assert_eq!(is == 1, space == other, "{space:?} as {other:?}");
            }
        }
        assert_eq!(
            fold(
                &Op::IsSpace {
                    space: Space::Global
                },
                &[0x7F00_0000]
            )[0],
            1
        );
        assert_eq!(
            fold(
                &Op::IsSpace {
                    space: Space::Const
                },
                &[0xFE00_0010]
            )[0],
            1
        );
        assert!(
            SPACES
                .into_iter()
                .filter_map(window)
                .all(|w| { ALL_WINDOWS.start <= w.start && w.end <= ALL_WINDOWS.end })
        );
    }
}
