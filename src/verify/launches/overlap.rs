//! Launches in which parameters point into one allocation, or scalars are such that addresses wrap.
//!
//! Whoever takes two pointers for apart, or a run-time distance for one that is not 0, is right in all other launches. A
//! launch in which the original itself has a data race shows nothing, and with overlapping buffers most launches of many
//! threads do; so these have one thread, and one warp.

use super::corners;
use super::field::Field;
use super::shapes::{Contents, Shape};
use super::usage::Usage;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Action, Function, Instruction, Source};
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
    /// Each into a buffer of its own, that of this number an element after its start.
    OneOffset(usize),
    /// Those of these numbers into one buffer, the second so many elements after the first; the others into buffers of their own.
    Pair(usize, usize, u64),
}

/// The distance of two pointers into one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerDistance {
    /// So many bytes, rounded down to what the type of the access allows.
    Bytes(i64),
    /// A row.
    Row,
    /// So many bytes more than what a loop goes through.
    Length(i64),
    /// So many elements as scalars say of which nothing is known.
    Plain,
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
const STRIDES: [i64; 9] = [
    0,
    1,
    -1,
    1 << 29,
    1 << 30,
    1 << 61,
    1 << 62,
    i32::MAX as i64,
    i32::MIN as i64,
];
/// Most pointers of which one alone, or two, are treated otherwise than the others.
const MOST_ALONE: usize = 4;
/// One thread, then one warp with so many places that some of its lanes have nothing to do.
const BLOCKS: [[u32; 3]; 2] = [[1, 1, 1], [32, 1, 1]];
const SIZE: u32 = 27;
/// So many distances are tried with each of these blocks.
const FIRST: usize = 10;
/// Where all pointers are the same, two warps, too.
const WARPS: [[u32; 3]; 1] = [[64, 1, 1]];
/// Lengths of loops, so that what was unrolled, or is only done from some length on, is reached.
const LENGTHS: [i64; 8] = [10, 3, 17, 8, 4, 33, 2, 9];
/// Of which vectors of all widths are a multiple.
const ALIGNED: u32 = 128;
/// Sizes of which a stencil has one inner point.
const NARROW: u32 = 3;

/// Such shapes, by the first of a kernel's, if it stores to global memory.
pub(super) fn shapes(first: &Shape, function: &Function, usage: &Usage) -> Vec<Shape> {
    if !writes(function) {
        return Vec::new();
    }
    let blocks: Vec<[u32; 3]> = match function.required_threads {
        Some(block) => vec![block],
        None => BLOCKS.to_vec(),
    };
    let count = pointers(usage);
    let together = steps(function, usage)
        .into_iter()
        .filter(|_| count > 1)
        .map(|step| (Pointers::Together(step), None));
    let pairs = pairs(count).map(|pair| (pair, None));
    let misaligned = MISALIGNED.map(|bytes| (Pointers::Offset(bytes), None));
    let one = (0..count.min(MOST_ALONE)).map(|one| (Pointers::OneOffset(one), None));
    let strided = usage.fields.iter().any(Field::is_stride);
    let strides = STRIDES.into_iter().filter(|_| strided);
    let strides = strides.map(|stride| (Pointers::Apart, Some(stride)));
    let all = together
        .chain(pairs)
        .chain(misaligned)
        .chain(one)
        .chain(strides);
    let mut made = Vec::new();
    for (number, (pointers, stride)) in all.enumerate() {
        let warps = WARPS.iter().filter(|_| {
            let same = match pointers {
                Pointers::Together(distance) => distance == PointerDistance::Bytes(0),
                Pointers::Pair(.., elements) => elements == 0,
                _ => false,
            };
            same && blocks.len() > 1
        });
        // Later ones with one block each, in turn.
        let misaligned = matches!(pointers, Pointers::Offset(_) | Pointers::OneOffset(_));
        let turn = |which: &usize| number < FIRST || misaligned || which % 2 == number % 2;
        let own = blocks.iter().chain(warps).enumerate();
        for (which, &block) in own.filter(|(which, _)| blocks.len() < 2 || turn(which)) {
            // Of two launches with few threads one has few places, too.
            let size = match (block[0] > 1 && number % 4 == 3, pointers) {
                (true, _) => NARROW,
                _ if block[0] > SIZE + 32 => block[0],
                (_, Pointers::Offset(_) | Pointers::OneOffset(_)) if which > 0 => ALIGNED,
                _ => SIZE,
            };
            let shape = Shape {
                block,
                sizes: [size, first.sizes[1], first.sizes[2]],
                pointers,
                stride,
                ..first.clone()
            };
            made.push(Shape {
                length: LENGTHS[(number + which) % LENGTHS.len()],
                contents: Contents::Any,
                ..corners::varied(shape, number + which)
            });
        }
    }
    made
}

/// Two pointers that are the same or an element apart, the others far away.
fn pairs(count: usize) -> impl Iterator<Item = Pointers> {
    let count = count.min(MOST_ALONE);
    let pairs = (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)));
    let pairs = pairs.filter(move |_| count > 2);
    pairs.flat_map(|(a, b)| [0, 1].map(|elements| Pointers::Pair(a, b, elements)))
}

/// Whether the kernel stores to memory that a parameter may point to.
pub(super) fn writes(function: &Function) -> bool {
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
    for distance in distances(function, widest(usage) as i64)
        .into_iter()
        .chain(HALVES.map(|n| n * half))
    {
        if !bytes.contains(&distance) {
            bytes.push(distance);
        }
    }
    let element = widest(usage) as i64;
    let ends = [0, -1, -element, element].map(PointerDistance::Length);
    let ends = ends.into_iter().chain([
        PointerDistance::Row,
        PointerDistance::Array,
        PointerDistance::Plain,
    ]);
    bytes
        .into_iter()
        .map(PointerDistance::Bytes)
        .chain(ends)
        .collect()
}

/// Distances of two pointers at which a store through one and a load through the other meet, by the offsets that
/// are part of their addresses; the shortest first.
fn distances(function: &Function, element: i64) -> Vec<i64> {
    let (mut loads, mut stores) = (BTreeSet::new(), BTreeSet::new());
    let mut indices = BTreeSet::new();
    for instruction in &function.instructions {
        if let Some(index) = added(instruction).filter(|_| indices.len() < MAX_OFFSETS) {
            indices.insert(index);
        }
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
    let indices = indices.iter().map(|index| index * element);
    let distances = pairs
        .chain(indices)
        .flat_map(|distance| [distance, distance.wrapping_neg()]);
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

/// The constant that is added to an index.
fn added(instruction: &Instruction) -> Option<i64> {
    let Action::Do(Opcode::Op(Op::Add { width: 32 } | Op::Or { width: 32 })) = instruction.action
    else {
        return None;
    };
    let mut operands = instruction.operands.iter();
    operands.find_map(|operand| match operand {
        Source::Imm(bits) => Some(i64::from(*bits as i32)),
        _ => None,
    })
}

/// What is in memory: the sizes of arrays in elements, and of elements in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Elements of an array.
    pub(super) array: u64,
    /// Elements of a row.
    pub(super) row: u64,
    /// Elements that a loop goes through.
    pub(super) length: u64,
    /// What scalars are of which nothing is known.
    pub(super) plain: u64,
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
        PointerDistance::Plain => (extent.plain * extent.widest) as i64,
        PointerDistance::Length(more) => (extent.length * extent.widest) as i64 + more,
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
    let [_, widest] = elements(usage);
    widest
}

/// Bytes of the narrowest and of the widest element.
pub(super) fn elements(usage: &Usage) -> [u64; 2] {
    let accessed = usage.fields.iter().filter(|field| field.points());
    let sizes = accessed
        .filter_map(|field: &Field| field.accessed)
        .map(|ty| u64::from(ty.bits / 8));
    let (least, most) = (sizes.clone().min(), sizes.max());
    [least, most].map(|size| size.unwrap_or(4).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent {
        array: 100,
        row: 10,
        length: 3,
        plain: 2,
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
        assert_eq!(offset(PointerDistance::Length(-1), 1, 2, 1, EXTENT), 23);
        assert_eq!(offset(PointerDistance::Array, 2, 3, 8, EXTENT), 1600);
    }
}
