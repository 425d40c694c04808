//! A scalar that a launch gives to a kernel, and what it is used for.

use super::counters::Part;
use super::facts::Fields;
use ptxasw_ir::types::Type;
use std::collections::BTreeSet;

/// Distances from a constant on which a comparison with it depends.
pub(super) const AROUND: [i64; 3] = [0, 1, -1];

/// Where a scalar lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Holder {
    /// In the parameter of this number.
    Parameter(u32),
    /// Where the field of this number points to.
    Behind(u8),
    /// Anywhere in the array that the field of this number points to.
    Among(u8),
}

/// A scalar in the parameters, or in memory that they lead to, as it is loaded.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Where it lies.
    pub(super) holder: Holder,
    /// Bytes from the start of that.
    pub(super) offset: u64,
    /// How it is loaded.
    pub(super) ty: Type,
    /// What is loaded or stored through it.
    pub(super) accessed: Option<Type>,
    /// Bytes that what it points to is declared to be aligned to; 1 if it is not.
    pub(super) align: u64,
    /// Axes of indices that it is compared with, a bit each.
    pub(super) bounds: u8,
    /// Axes of indices that it is multiplied with.
    pub(super) strides: u8,
    /// Pointers to which its product with an index is added as it is: a stride in bytes.
    pub(super) bytes_of: Fields,
    /// It is added to an address, without an index: a pitch, perhaps.
    pub(super) steps: bool,
    /// Something that does not depend on the thread is compared with it: a loop's length, perhaps.
    pub(super) compared: bool,
    /// What it is to the counter of a loop.
    pub(super) part: Option<Part>,
    /// Constants that it is compared with.
    pub(super) constants: BTreeSet<i64>,
    /// Indices are divided by it.
    pub(super) divides: bool,
    /// It is subtracted from what does not depend on the thread: a border's width, perhaps.
    pub(super) subtracted: bool,
    /// It is added to the address of a variable: a distance, no pointer.
    pub(super) displaces: bool,
    /// What it points to decides branches: values must be small.
    pub(super) decides: bool,
    /// What it points to becomes part of addresses: values must be small.
    pub(super) indexes: bool,
    /// It is accessed at places that are not the same for all threads and times: an array.
    pub(super) spreads: bool,
    /// Elements of what it points to are loaded at several distances from one place.
    pub(super) neighbours: bool,
}

impl Field {
    /// One of which nothing is known.
    pub(super) fn new(holder: Holder, offset: u64, ty: Type) -> Self {
        Field {
            holder,
            offset,
            ty,
            accessed: None,
            align: 1,
            bounds: 0,
            strides: 0,
            bytes_of: 0,
            steps: false,
            compared: false,
            part: None,
            constants: BTreeSet::new(),
            divides: false,
            subtracted: false,
            displaces: false,
            decides: false,
            indexes: false,
            spreads: false,
            neighbours: false,
        }
    }

    /// A constant that it is compared with, or the number after or before it.
    pub(super) fn steered(&self, number: usize) -> Option<i64> {
        if self.points() || self.displaces || self.constants.is_empty() {
            return None;
        }
        let mut constants = self.constants.iter().cycle();
        let constant = constants.nth(number / AROUND.len())?;
        Some(constant + AROUND[number % AROUND.len()])
    }

    /// It is an address of global memory.
    pub(super) fn points(&self) -> bool {
        self.accessed.is_some() && !self.displaces
    }

    /// What it points to must be small numbers.
    pub(super) fn to_small(&self) -> bool {
        self.decides || self.indexes
    }

    /// What it points to says where rows begin in another array: each element and the next one are bounds.
    pub(super) fn to_rows(&self) -> bool {
        self.decides && self.indexes && self.neighbours
    }

    /// It says how far something goes, or where something is.
    pub(super) fn matters(&self) -> bool {
        self.points() || self.bounds != 0 || self.compared
    }

    /// An integer that may be a distance in memory.
    pub(super) fn is_stride(&self) -> bool {
        let size = self.displaces || self.subtracted || self.divides || self.compared;
        !size && self.bounds == 0 && !self.points() && !self.ty.float()
    }
}
