//! C5, neighbour: what a lane map asks of rows and of the lanes that are present.
//!
//! A shift's ends of the row and of the warp are the clamp's matter. The other maps lead to a lane of the same aligned *group*
//! of `g` lanes (`g` a power of two, at most 32), and ask that `ntid.x` is a multiple of `g`. Then `x + ntid.x * (...)`, the
//! linear index, is `x` modulo `g`, and so is the lane, its remainder by 32. The group of a lane is thus the group of `g`
//! threads `x - x mod g ...` of its row, all of which the row has; the other lane's thread differs in `x` as the lanes differ,
//! and shares `tid.y` and `tid.z`. The lanes of the group are present where the whole warp is.

use crate::shuffle::plan::Region;
use crate::shuffle::refusal::{Refusal, c5};
use ptxasw_emulator::symbols::special;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::function::Function;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::types::Special;
use std::borrow::Cow;

/// The lanes that every wrapping requires to be present where lane `t` takes a value from the lane that `map` leads to: for a
/// shift all from its own to the other one.
pub(in crate::shuffle) fn between(map: LaneMap) -> impl Iterator<Item = LaneMap> {
    let delta = map.shift().unwrap_or(0);
    let other = map.shift().is_none().then_some(map);
    (delta.min(0)..=delta.max(0))
        .map(LaneMap::Shift)
        .chain(other)
}

/// How C5 is met.
pub(in crate::shuffle) fn check(
    function: &Function,
    map: LaneMap,
) -> Result<Cow<'static, str>, Refusal> {
    let group = map.group();
    if map.shift().is_some() {
        return Ok("the clamp of the shuffle holds the row's ends".into());
    }
    let rows = match whole_groups(function, group) {
        Some(false) => {
            return Err(Refusal::new(&c5::GROUPS).with(group.to_string()));
        }
        Some(true) => "proved",
        None => "checked at run time",
    };
    Ok(format!(
        "the other lane is in the same group of {group}; rows are whole groups: {rows}; the whole warp is here"
    )
    .into())
}

/// Whether rows are whole groups of so many lanes, where the size of the block is known.
fn whole_groups(function: &Function, group: u8) -> Option<bool> {
    let [x, ..] = function.required_threads?;
    Some(x > 0 && x % u32::from(group) == 0)
}

/// What the corner predicate has to check for these maps, see [`Region::group`].
pub(in crate::shuffle) fn group(
    function: &Function,
    maps: impl Iterator<Item = LaneMap>,
) -> Option<u8> {
    let group = maps
        .filter(|map| map.shift().is_none())
        .map(LaneMap::group)
        .max()?;
    Some(match whole_groups(function, group) {
        Some(true) => 1,
        _ => group,
    })
}

/// What C5 says where a shuffle's value is used, and in words.
pub(in crate::shuffle) fn hypotheses(
    terms: &mut Terms,
    function: &Function,
    map: LaneMap,
) -> Vec<(TermId, String)> {
    if map.shift().is_some() {
        return Vec::new();
    }
    let group = map.group();
    let width = special(terms, function, Special::Ntid(0), 32);
    let mut multiples = vec![(width, "ntid.x")];
    let numbers: Vec<TermId> = terms.lane_numbers().collect();
    if let [tid, lane] = *numbers {
        multiples.push((terms.sub(tid, lane), "tid.x - laneid"));
    }
    let zero = terms.constant(32, 0);
    let rest = terms.constant(32, u64::from(group) - 1);
    multiples
        .into_iter()
        .map(|(term, name)| {
            let remainder = terms.and(term, rest);
            let why = format!("rows: {name} is a multiple of {group}");
            (terms.equal(remainder, zero), why)
        })
        .collect()
}

impl Region {
    /// Some shuffle needs a clamp.
    pub fn shifts(&self) -> bool {
        self.down || self.up
    }
}
