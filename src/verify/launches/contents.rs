//! What buffers hold: numbers that make sense as indices or as data, structures, pointers.

use super::build::Builder;
use super::field::{Field, Holder};
use super::overlap::Pointers;
use super::shapes::Contents;
use ptxasw_executor::launch::{BufferSpec, Element, Fill, PointerField};

/// Integers in memory that decide addresses or branches are below this.
const SMALL: u64 = 16;
/// Pointers in an array of them, and to how many arrays they point.
const ELEMENTS_OF_POINTERS: usize = 256;
const FEW: usize = 3;
/// In some launches below this.
const WIDE: u64 = 2000;

impl Builder<'_> {
    /// A buffer that holds what is known of the memory behind a pointer: a structure, or pointers alone.
    pub(super) fn structure_behind(&mut self, place: usize) -> Option<usize> {
        let usage = self.usage;
        let field = &usage.fields[place];
        let inside: Vec<(usize, &Field)> = usage.behind(place).collect();
        let points = |(_, one): &&(usize, &Field)| one.ty.bits == 64 && one.points();
        let points = inside.iter().any(|one| points(&one));
        let matters = inside.iter().any(|(_, one)| one.matters());
        let plain = field.spreads || self.shape.pointers != Pointers::Apart;
        if !points && (plain || !matters) {
            return None;
        }
        let ends = inside
            .iter()
            .map(|(_, one)| one.offset + u64::from(one.ty.bits / 8));
        let end = ends.max().unwrap_or(8).next_multiple_of(8);
        let mut pointers = Vec::new();
        let among = inside
            .iter()
            .find(|(_, one)| matches!(one.holder, Holder::Among(_)) && one.points());
        let mut bytes = vec![0; end as usize];
        if let Some(&(place, _)) = among {
            bytes.resize(ELEMENTS_OF_POINTERS * 8, 0);
            let few: Vec<(usize, i64)> = (0..FEW).map(|_| self.buffer(Some(place))).collect();
            let all = (0..ELEMENTS_OF_POINTERS).zip(few.iter().cycle());
            pointers.extend(all.map(|(i, &(buffer, offset))| PointerField {
                at: 8 * i,
                buffer,
                offset,
            }));
        } else {
            self.put_fields(inside.into_iter(), &mut bytes, &mut pointers);
        }
        let number = self.spec.buffers.len();
        let room = self.rooms.buffers.get(number).map_or(0, |room| room.after);
        bytes.resize(bytes.len().max(room as usize), 0);
        self.spec.buffers.push(BufferSpec {
            name: None,
            element: Element::U8,
            count: bytes.len() as u64,
            fill: Fill::Structure { bytes, pointers },
        });
        Some(number)
    }

    /// What the buffer of this number holds; its elements decide addresses or branches, perhaps.
    pub(super) fn contents(&self, element: Element, decides: bool, number: usize) -> Fill {
        let range = match self.shape.contents {
            Contents::Zero => return Fill::Zero,
            Contents::NotANumber if element.is_float() => {
                return Fill::Constant(element.from_real(f64::NAN));
            }
            _ if element.is_float() => None,
            Contents::Any | Contents::AnyBits if !decides => None,
            Contents::Signed if element.is_signed() => {
                Some(((-(SMALL as i64) / 2) as u64, SMALL / 2))
            }
            Contents::Wide | Contents::AnyBits => {
                Some((0, WIDE.min((1 << (8 * element.bytes().min(4))) - 1)))
            }
            _ => Some((0, SMALL - 1)),
        };
        Fill::Random {
            seed: self.shape.seed.wrapping_add(number as u64),
            range,
        }
    }
}

/// The same integers, of either sign.
pub(super) fn signed(element: Element) -> Element {
    match element {
        Element::U8 => Element::I8,
        Element::U16 => Element::I16,
        Element::U32 => Element::I32,
        Element::U64 => Element::I64,
        other => other,
    }
}
