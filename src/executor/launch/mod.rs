//! Launches of kernels: what a user writes, what is run, and how one becomes the other.
//!
//! | file | what |
//! | --- | --- |
//! | `spec` | [`LaunchSpec`]: a launch as it is described; a buffer of gigabytes is a few words here |
//! | `file` | descriptions in TOML and JSON files ([`read`], [`parse`]), on top of `tree` |
//! | `line` | descriptions in one line ([`parse_line`]) |
//! | `structure` | arguments by value, with C layout |
//! | `element`, `contents` | types of elements, and what buffers are filled with |
//!
//! [`LaunchSpec::instantiate`] makes a [`Launch`], which the executor runs.

mod contents;
mod element;
mod error;
mod file;
mod line;
mod spec;
mod structure;
mod tree;

pub use contents::Fill;
pub(super) use contents::Random;
pub use element::Element;
pub use error::{ArgumentError, InstanceError, KernelError, LaunchError, ReadError};
pub use file::{Format, from_argument, parse, read};
pub use line::parse_line;
pub use spec::{ArgumentSpec, BufferSpec, GpuSpec, LaunchSpec, PointerField};

use crate::spacing::Spacing;

/// Most bytes of one buffer: a little less than the least distance of two allocations of the executor's global memory.
pub const MAX_BUFFER: u64 = 7 << 30;

/// Most bytes of all buffers of a launch together.
pub const MAX_BUFFERS: u64 = 64 << 30;

/// A buffer in global memory, as the host allocates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The contents.
    pub bytes: Vec<u8>,
    /// Whether the contents may be read before the kernel writes them.
    pub initialised: bool,
    /// Bytes of an element, for messages: 1, 2, 4 or 8.
    pub element: u8,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A scalar, as bits; the parameter's size decides how many count.
    Scalar(u64),
    /// The address of a byte of a buffer.
    Buffer {
        /// Index into [`Launch::buffers`].
        index: usize,
        /// Bytes from its start.
        offset: u64,
    },
    /// A structure by value: index into [`Launch::structures`].
    Structure(usize),
}

/// Sizes and arguments of one launch, with everything in memory that the kernel will see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// How buffers are placed: distances modulo 2^32 and more.
    pub spacing: Spacing,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// The buffers that the arguments point into.
    pub buffers: Vec<Buffer>,
    /// Structures that are passed by value.
    pub structures: Vec<Vec<u8>>,
}

impl Launch {
    /// A launch without arguments.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        Launch {
            grid,
            block,
            dynamic_shared: 0,
            spacing: Spacing::default(),
            arguments: Vec::new(),
            buffers: Vec::new(),
            structures: Vec::new(),
        }
    }

    /// Appends a buffer and an argument that points to its start.
    pub fn with_buffer(mut self, buffer: Buffer) -> Self {
        self.arguments.push(Argument::Buffer {
            index: self.buffers.len(),
            offset: 0,
        });
        self.buffers.push(buffer);
        self
    }

    /// Appends a scalar argument.
    pub fn with_scalar(mut self, bits: u64) -> Self {
        self.arguments.push(Argument::Scalar(bits));
        self
    }
}
