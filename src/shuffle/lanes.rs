//! C5, neighbour: what a lane map asks of rows and of the lanes that are present.

use crate::emulator::term::LaneMap;

/// The lanes that every wrapping requires to be present where lane `t` takes a value from the lane that `map` leads to: for a
/// shift all from its own to the other one.
pub(super) fn on_the_way(map: LaneMap) -> impl Iterator<Item = LaneMap> {
    let delta = map.shift().unwrap_or(0);
    let other = map.shift().is_none().then_some(map);
    (delta.min(0)..=delta.max(0))
        .map(LaneMap::Shift)
        .chain(other)
}
