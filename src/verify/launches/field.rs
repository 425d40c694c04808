//! A scalar among the parameters, and what it is used for.

use ptxasw_ir::types::Type;

/// A scalar in the parameters, as it is loaded.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Index of the parameter.
    pub(super) parameter: u32,
    /// Bytes from the parameter's start.
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
    /// Something that does not depend on the thread is compared with it: a loop's length, perhaps.
    pub(super) compared: bool,
    /// Indices are divided by it.
    pub(super) divides: bool,
    /// It is subtracted from what does not depend on the thread: a border's width, perhaps.
    pub(super) subtracted: bool,
    /// It is added to the address of a variable: a distance, no pointer.
    pub(super) displaces: bool,
    /// What it points to decides addresses or branches: values must be small.
    pub(super) decides: bool,
}

impl Field {
    /// It is an address of global memory.
    pub(super) fn points(&self) -> bool {
        self.accessed.is_some() && !self.displaces
    }

    /// An integer that may be a distance in memory.
    pub(super) fn is_stride(&self) -> bool {
        let size = self.displaces || self.subtracted || self.divides || self.compared;
        !size && self.bounds == 0 && !self.points() && !self.ty.float()
    }
}
