//! Which bytes of a load its registers hold, and the kind of a load.

use ptxasw_emulator::trace::Event;

/// The bytes of a load. Masks have bit 0 for the first.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::shuffle) struct Data {
    /// Of one element.
    pub element: u8,
    /// That its registers hold after it.
    pub given: u32,
    /// That a shuffle in its place must bring: whole elements, of those of which some byte is used.
    pub needed: u32,
}

impl Data {
    /// All bytes of a load, whatever its registers keep of them.
    pub fn whole(event: &Event) -> Self {
        let all = 1u64 << event.bytes.min(u32::BITS);
        let element = event.load().map_or(u8::BITS as u8, |access| access.ty.bits);
        Data {
            element: element.max(u8::BITS as u8) / u8::BITS as u8,
            given: (all - 1) as u32,
            needed: (all - 1) as u32,
        }
    }
}

/// Loads of different kinds are not interchangeable, whatever their addresses.
pub(in crate::shuffle) fn kind(event: &Event) -> u64 {
    (event.counted_in() as u64) << 8 | event.space as u64
}
