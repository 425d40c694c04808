//! Buffers that overlap in the first or the last iteration of a loop alone, and where a stride is nothing or leads back.
//!
//! Who takes several iterations together, or keeps a value in a register through all of them, relies on a distance of two pointers that is as
//! long as the loop, or one element shorter. One thread shows that, at next to no cost.

use super::build::PADDING;
use super::corners;
use super::counters::Counting;
use super::field::Field;
use super::overlap::{self, PointerDistance, Pointers};
use super::shapes::{Contents, Shape};
use super::usage::Usage;
use ptxasw_ptx::decode::form::Function;

/// Lengths of loops: as many iterations as are taken together.
const BATCHES: [i64; 2] = [4, 8];
/// Where the thread's index is the first: also fewer, and many.
const SIZES: [i64; 4] = [2, 4, 8, 27];
/// Of columns.
const ROWS: i64 = 5;

/// What is chosen for a launch.
struct Choice {
    /// Bytes from one pointer to the next.
    distance: i64,
    length: i64,
    size: i64,
    stride: Option<i64>,
}

impl Choice {
    /// The last bytes of the element that the pointer points to, where that is the last of a loop.
    fn last(&self, widest: i64, narrowest: i64) -> Option<Choice> {
        (self.distance > 0).then_some(Choice {
            distance: self.distance + widest - narrowest,
            ..*self
        })
    }
}

/// Such shapes, by the first of a kernel's.
pub(super) fn shapes(first: &Shape, function: &Function, usage: &Usage) -> Vec<Shape> {
    if !usage.loops || !overlap::writes(function) || overlap::pointers(usage) < 2 {
        return Vec::new();
    }
    let block = function.required_threads.unwrap_or([1, 1, 1]);
    let shapes = choices(usage).into_iter().enumerate();
    let shapes = shapes.map(|(number, choice)| Shape {
        length: choice.length,
        contents: Contents::Any,
        counting: Counting::UP,
        apart: 0,
        pitched: true,
        ..corners::varied(
            Shape {
                block,
                sizes: [choice.size as u32, first.sizes[1], first.sizes[2]],
                pointers: Pointers::Together(PointerDistance::Bytes(choice.distance)),
                stride: choice.stride,
                ..first.clone()
            },
            number,
        )
    });
    shapes.collect()
}

fn choices(usage: &Usage) -> Vec<Choice> {
    let [narrowest, widest] = overlap::elements(usage).map(|bytes| bytes as i64);
    let mut all = Vec::new();
    let mut add = |elements: i64, length, size, stride| {
        all.push(Choice {
            distance: elements * widest,
            length,
            size,
            stride,
        });
    };
    if usage.fields.iter().any(|field| field.compared) {
        for length in BATCHES {
            add(length - 1, length, ROWS, None);
            add(1 - length, length, ROWS, None);
        }
    }
    if usage.strided {
        for size in SIZES {
            add(size - 1, ROWS, size, None);
        }
        let [.., many] = SIZES;
        add(1 - many, ROWS, many, None);
        add(many, ROWS, many, None);
    }
    if usage.fields.iter().any(Field::is_stride) {
        let last = (ROWS - 1) * (ROWS + i64::from(PADDING));
        add(last, ROWS, ROWS, None);
        add(-last, ROWS, ROWS, None);
        for length in BATCHES {
            add(length - 1, length, ROWS, Some(-1));
            add(1 - length, length, ROWS, Some(-1));
        }
        add(0, ROWS, ROWS, Some(0));
        add(1, ROWS, ROWS, Some(0));
    }
    // The last bytes of the last element.
    if narrowest < widest {
        let last: Vec<Choice> = all
            .iter()
            .filter_map(|one| one.last(widest, narrowest))
            .collect();
        all.extend(last);
    }
    all
}
