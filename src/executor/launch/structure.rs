//! Structures by value, laid out as in C: every field at the next multiple of its own size.

use super::{ArgumentSpec, Element, PointerField};

/// Most bytes of a structure: what a kernel's parameters may have (PTX ISA, "Kernel Function Parameter Attributes").
pub(super) const MAX_STRUCTURE: usize = 32_764;

/// A structure that is being put together.
#[derive(Debug)]
pub(super) struct Structure {
    bytes: Vec<u8>,
    pointers: Vec<PointerField>,
    align: usize,
}

impl Structure {
    pub(super) fn new() -> Self {
        Structure {
            bytes: Vec::new(),
            pointers: Vec::new(),
            align: 1,
        }
    }

    /// Appends a scalar.
    pub(super) fn scalar(&mut self, element: Element, bits: u64) {
        let size = usize::from(element.bytes());
        self.pad(size);
        self.bytes.extend(&bits.to_le_bytes()[..size]);
    }

    /// Appends a pointer into a buffer.
    pub(super) fn pointer(&mut self, buffer: usize, offset: i64) {
        self.pad(8);
        self.pointers.push(PointerField {
            at: self.bytes.len(),
            buffer,
            offset,
        });
        self.bytes.extend([0; 8]);
    }

    /// Appends a structure.
    pub(super) fn nested(&mut self, inner: Structure) {
        self.pad(inner.align);
        let start = self.bytes.len();
        let moved = inner.pointers.into_iter().map(|pointer| PointerField {
            at: pointer.at + start,
            ..pointer
        });
        self.pointers.extend(moved);
        self.bytes.extend(inner.bytes);
    }

    /// More than any kernel takes.
    pub(super) fn too_large(&self) -> bool {
        self.bytes.len() > MAX_STRUCTURE
    }

    /// With padding at its end.
    pub(super) fn padded(mut self) -> Structure {
        self.pad(self.align);
        self
    }

    /// As an argument.
    pub(super) fn finish(self) -> ArgumentSpec {
        let Structure {
            bytes, pointers, ..
        } = self.padded();
        ArgumentSpec::Structure { bytes, pointers }
    }

    fn pad(&mut self, align: usize) {
        self.align = self.align.max(align);
        self.bytes
            .resize(self.bytes.len().next_multiple_of(align), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_as_in_c() {
        // struct { char a; struct { short b; float *c; } s; char d; }
        let mut inner = Structure::new();
        inner.scalar(Element::I16, 0x0102);
        inner.pointer(3, 4);
        let mut outer = Structure::new();
        outer.scalar(Element::U8, 9);
        outer.nested(inner.padded());
        outer.scalar(Element::U8, 8);
        let ArgumentSpec::Structure { bytes, pointers } = outer.finish() else {
            panic!("a structure")
        };
        let mut expected = [0; 32];
        (expected[0], expected[8], expected[9], expected[24]) = (9, 2, 1, 8);
        assert_eq!(bytes, expected);
        let pointer = PointerField {
            at: 16,
            buffer: 3,
            offset: 4,
        };
        assert_eq!(pointers, [pointer]);
    }
}
