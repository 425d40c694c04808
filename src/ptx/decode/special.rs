//! Special registers (PTX ISA, "Special Registers").

use ptxasw_ir::types::{LaneMask, Special};

/// Registers without a meaning of their own here; [`Special::Other`] holds the position, and the axis of a vector's
/// element in the bits from [`AXIS_SHIFT`] on.
const OTHERS: &[&str] = &[
    "%tid",
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%is_explicit_cluster",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%envreg",
    "%reserved_smem_offset_",
    "%aggr_smem_size",
    "%current_graph_exec",
];

/// See [`OTHERS`].
const AXIS_SHIFT: u32 = 8;

/// What another position than those of [`OTHERS`] stands for: the fourth element of a vector, an unknown axis.
const UNNAMED: u16 = u16::MAX;

/// The special register of that name, with its `.x`, `.y`, `.z`, if it is one.
pub(super) fn special(name: &str) -> Option<Special> {
    let (base, element) = match name.split_once('.') {
        Some((base, element)) => (base, Some(element)),
        None => (name, None),
    };
    if let Some(element) = element {
        let axis = match element {
            "x" | "r" => 0,
            "y" | "g" => 1,
            "z" | "b" => 2,
            "w" | "a" => 3,
            _ => return None,
        };
        return vector(base, axis);
    }
    Some(match base {
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::NWarpId,
        "%lanemask_eq" => Special::LaneMask(LaneMask::Eq),
        "%lanemask_le" => Special::LaneMask(LaneMask::Le),
        "%lanemask_lt" => Special::LaneMask(LaneMask::Lt),
        "%lanemask_ge" => Special::LaneMask(LaneMask::Ge),
        "%lanemask_gt" => Special::LaneMask(LaneMask::Gt),
        "%dynamic_smem_size" => Special::DynamicSharedSize,
        "%total_smem_size" => Special::TotalSharedSize,
        "%gridid" => Special::GridId,
        "%smid" => Special::SmId,
        "%nsmid" => Special::NSmId,
        "%clock" | "%clock_hi" | "%clock64" | "%globaltimer" | "%globaltimer_lo"
        | "%globaltimer_hi" => Special::Clock,
        _ if performance_counter(base) => Special::Clock,
        _ => return other(base),
    })
}

/// `%pm0` to `%pm7`, `%pm0_64` to `%pm7_64`.
fn performance_counter(name: &str) -> bool {
    name.strip_prefix("%pm")
        .map(|rest| rest.strip_suffix("_64").unwrap_or(rest))
        .is_some_and(|digits| matches!(digits.as_bytes(), [b'0'..=b'7']))
}

/// An element of a vector register.
fn vector(base: &str, axis: u8) -> Option<Special> {
    if axis == 3 {
        return other(base).map(|_| Special::Other(UNNAMED));
    }
    Some(match base {
        "%tid" => Special::Tid(axis),
        "%ntid" => Special::Ntid(axis),
        "%ctaid" => Special::Ctaid(axis),
        "%nctaid" => Special::Nctaid(axis),
        _ => match other(base)? {
            Special::Other(position) => Special::Other(position | u16::from(axis) << AXIS_SHIFT),
            special => special,
        },
    })
}

/// The name that [`Special::Other`] stands for, and the axis of a vector's element.
pub fn special_name(number: u16) -> Option<(&'static str, u8)> {
    let position = usize::from(number & ((1 << AXIS_SHIFT) - 1));
    let name = OTHERS.get(position)?;
    (number != UNNAMED).then_some((name, (number >> AXIS_SHIFT) as u8))
}

/// A register of [`OTHERS`], with or without a number after it.
fn other(base: &str) -> Option<Special> {
    let known = |name: &str| OTHERS.iter().position(|o| *o == name);
    let index = known(base).or_else(|| {
        if base.starts_with("%reserved_smem_offset_") {
            return known("%reserved_smem_offset_");
        }
        let digits = base.strip_prefix("%envreg")?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| known("%envreg"))
            .flatten()
    })?;
    Some(Special::Other(u16::try_from(index).unwrap_or(UNNAMED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        assert_eq!(special("%tid.x"), Some(Special::Tid(0)));
        assert_eq!(special("%nctaid.z"), Some(Special::Nctaid(2)));
        assert_eq!(special("%laneid"), Some(Special::LaneId));
        assert_eq!(special("%pm3"), Some(Special::Clock));
        assert_eq!(special("%pm3_64"), Some(Special::Clock));
        assert_eq!(special("%pm8"), None);
        assert_eq!(special("%clock64"), Some(Special::Clock));
        assert_eq!(special("%tid.w"), Some(Special::Other(UNNAMED)));
        assert_eq!(special("%laneid.x"), None);
        assert_eq!(special("%nosuch"), None);
        for name in [
            "%envreg0",
            "%envreg31",
            "%clusterid.x",
            "%cluster_ctarank",
            "%reserved_smem_offset_begin",
            "%reserved_smem_offset_1",
            "%aggr_smem_size",
            "%tid",
        ] {
            assert!(matches!(special(name), Some(Special::Other(_))), "{name}");
        }
        assert_ne!(special("%envreg0"), special("%clusterid.x"));
        let named = |name: &str| match special(name) {
            Some(Special::Other(number)) => special_name(number),
            _ => None,
        };
        assert_eq!(named("%clusterid.z"), Some(("%clusterid", 2)));
        assert_eq!(named("%envreg7"), Some(("%envreg", 0)));
        assert_eq!(named("%tid.w"), None);
    }
}
