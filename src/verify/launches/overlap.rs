//! Launches in which parameters point into one allocation, or scalars are such that addresses wrap.
//!
//! Whoever takes two pointers for apart, or a run-time distance for one that is not 0, is right in all other launches. A
//! launch in which the original itself has a data race shows nothing, and with overlapping buffers most launches of many
//! threads do; so these have one thread, and one warp.

use super::field::Field;
use super::shapes::Shape;
use super::usage::Usage;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Action, Function};
use std::collections::BTreeSet;

/// Where the pointers among the arguments point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointers {
    /// Each into a buffer of its own.
    Apart,
    /// All into one buffer, each so far after the one before.
    Together(PointerDistance),
    /// Each into a buffer of its own, so many bytes after its start, as far as its type allows.
    Offset(u64),
}

/// The distance of two pointers into one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerDistance {
    /// So many bytes, rounded down to what the type of the access allows.
    Bytes(i64),
    /// A row.
    Row,
    /// The whole array: one ends where the next begins.
    Array,
}

/// Distances that are always tried, in halves of the widest element.
const HALVES: [i64; 7] = [0, 2, -2, 1, -1, 4, 8];
/// Most distances that are taken from the offsets of loads and stores.
const MAX_OWN: usize = 8;
/// The farthest, in bytes.
const MAX_DISTANCE: u64 = 1 << 16;
/// Offsets of loads and of stores that are looked at.
const MAX_OFFSETS: usize = 64;
/// Bytes after an allocation's start at which vectors of 8, 16 and 32 bytes are not aligned.
const MISALIGNED: [u64; 3] = [4, 8, 16];
/// Strides: nothing, backwards, and those with which products by 4 and 8 wrap in 32 and in 64 bits.
const STRIDES: [i64; 7] = [0, 1, -1, 1 << 29, 1 << 30, 1 << 61, 1 << 62];
/// One thread, then one warp with so many places that some of its lanes have nothing to do.
const BLOCKS: [[u32; 3]; 2] = [[1, 1, 1], [32, 1, 1]];
const SIZE: u32 = 27;
/// Sizes of which a stencil has one inner point.
const NARROW: u32 = 3;

/// Puts such shapes after the first `at`, for a kernel that stores to global memory.
pub(super) fn insert(shapes: &mut Vec<Shape>, function: &Function, usage: &Usage, at: usize) {
    let Some(first) = shapes.first().cloned() else {
        return;
    };
    if !writes(function) {
        return;
    }
    let blocks: Vec<[u32; 3]> = match function.required_threads {
        Some(block) => vec![block],
        None => BLOCKS.to_vec(),
    };
    let several = pointers(usage) > 1;
    let together = steps(function, usage).into_iter().filter(|_| several);
    let together = together.map(|step| (Pointers::Together(step), None));
    let misaligned = MISALIGNED.map(|bytes| (Pointers::Offset(bytes), None));
    let strided = usage.fields.iter().any(Field::is_stride);
    let strides = STRIDES.into_iter().filter(|_| strided);
    let strides = strides.map(|stride| (Pointers::Apart, Some(stride)));
    let all = together.chain(misaligned).chain(strides);
    let mut made = Vec::new();
    for (number, (pointers, stride)) in all.enumerate() {
        for &block in &blocks {
            // Of two launches with few threads one has few places, too.
            let size = if block[0] > 1 && number % 4 == 3 {
                NARROW
            } else {
                SIZE
            };
            made.push(Shape {
                block,
                sizes: [size, first.sizes[1], first.sizes[2]],
                pointers,
                stride,
                full_range: number % 2 == 0,
                ..first.clone()
            });
        }
    }
    let at = at.min(shapes.len());
    shapes.splice(at..at, made);
}

/// Whether the kernel stores to memory that a parameter may point to.
fn writes(function: &Function) -> bool {
    let mut actions = function.instructions.iter().map(|one| &one.action);
    actions.any(|action| match action {
        Action::Do(Opcode::Store(access)) => matches!(access.space, Space::Global | Space::Generic),
        _ => false,
    })
}

/// The distances that are tried, each once: those that the kernel's own offsets ask for, then the usual ones.
fn steps(function: &Function, usage: &Usage) -> Vec<PointerDistance> {
    let half = widest(usage) as i64 / 2;
    let mut bytes: Vec<i64> = Vec::new();
    for distance in distances(function)
        .into_iter()
        .chain(HALVES.map(|n| n * half))
    {
        if !bytes.contains(&distance) {
            bytes.push(distance);
        }
    }
    let ends = [PointerDistance::Row, PointerDistance::Array];
    bytes
        .into_iter()
        .map(PointerDistance::Bytes)
        .chain(ends)
        .collect()
}

/// Distances of two pointers at which a store through one and a load through the other meet, by the offsets that
/// are part of their addresses; the shortest first.
fn distances(function: &Function) -> Vec<i64> {
    let (mut loads, mut stores) = (BTreeSet::new(), BTreeSet::new());
    for instruction in &function.instructions {
        let (offsets, access) = match &instruction.action {
            Action::Do(Opcode::Load(access)) => (&mut loads, access),
            Action::Do(Opcode::Store(access)) => (&mut stores, access),
            _ => continue,
        };
        if matches!(access.space, Space::Global | Space::Generic) && offsets.len() < MAX_OFFSETS {
            offsets.insert(access.offset);
        }
    }
    let pairs = loads
        .iter()
        .flat_map(|load| stores.iter().map(move |store| load.wrapping_sub(*store)));
    let distances = pairs.flat_map(|distance| [distance, distance.wrapping_neg()]);
    let near = |distance: &i64| (1..=MAX_DISTANCE).contains(&distance.unsigned_abs());
    let mut distances: Vec<i64> = distances.filter(near).collect();
    distances.sort_unstable_by_key(|distance| (distance.unsigned_abs(), *distance < 0));
    distances.dedup();
    // Some of the nearest, and of the farthest.
    if distances.len() > MAX_OWN {
        let far = distances.split_off(distances.len() - MAX_OWN / 2);
        distances.truncate(MAX_OWN / 2);
        distances.extend(far);
    }
    distances
}

/// What is in memory: the sizes of arrays in elements, and of elements in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Elements of an array.
    pub(super) array: u64,
    /// Elements of a row.
    pub(super) row: u64,
    /// Bytes of the widest element.
    pub(super) widest: u64,
}

/// Bytes from the lowest pointer to that of this number, of so many, a multiple of `unit`. The lowest is
/// as aligned as an allocation: the first one, or with a negative step the last.
pub(super) fn offset(
    step: PointerDistance,
    number: usize,
    count: usize,
    unit: u64,
    extent: Extent,
) -> u64 {
    let one = match step {
        PointerDistance::Bytes(bytes) => bytes,
        PointerDistance::Row => (extent.row * extent.widest) as i64,
        PointerDistance::Array => (extent.array * extent.widest) as i64,
    };
    let steps = match one < 0 {
        true => count.saturating_sub(number + 1),
        false => number,
    };
    let unit = unit.max(1);
    one.unsigned_abs().saturating_mul(steps as u64) / unit * unit
}

/// The pointers among the arguments, as far as they are known.
pub(super) fn pointers(usage: &Usage) -> usize {
    usage.fields.iter().filter(|field| field.points()).count()
}

/// Bytes of the widest element that a pointer among the arguments accesses.
pub(super) fn widest(usage: &Usage) -> u64 {
    let accessed = usage.fields.iter().filter(|field| field.points());
    let sizes = accessed
        .filter_map(|field: &Field| field.accessed)
        .map(|ty| u64::from(ty.bits / 8));
    sizes.max().unwrap_or(4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent {
        array: 100,
        row: 10,
        widest: 8,
    };

    #[test]
    fn distances_keep_accesses_aligned() {
        assert_eq!(offset(PointerDistance::Bytes(4), 1, 2, 4, EXTENT), 4);
        assert_eq!(offset(PointerDistance::Bytes(4), 1, 2, 8, EXTENT), 0);
        // The last is the lowest.
        assert_eq!(offset(PointerDistance::Bytes(-8), 0, 3, 8, EXTENT), 16);
        assert_eq!(offset(PointerDistance::Bytes(-8), 2, 3, 8, EXTENT), 0);
        assert_eq!(offset(PointerDistance::Bytes(-12), 0, 2, 8, EXTENT), 8);
        assert_eq!(offset(PointerDistance::Row, 1, 2, 8, EXTENT), 80);
        assert_eq!(offset(PointerDistance::Array, 2, 3, 8, EXTENT), 1600);
    }
}
