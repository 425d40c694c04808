//! The description of a launch, and how it becomes an instance.

use super::{
    Argument, ArgumentError, Buffer, Element, Fill, InstanceError, KernelError, Launch, MAX_BUFFER,
    MAX_BUFFERS,
};
use crate::spacing::Spacing;
use ptxasw_ir::types::Kind;
use ptxasw_ptx::decode::form::{Function, Module};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// A launch as it is described: cheap to copy, however large its buffers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchSpec {
    /// The kernel; none: the only one of the module.
    pub kernel: Option<String>,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// How buffers are placed: distances modulo 2^32 and more.
    pub spacing: Spacing,
    /// The buffers in global memory.
    pub buffers: Vec<BufferSpec>,
    /// One for each parameter.
    pub arguments: Vec<ArgumentSpec>,
    /// How it is run and timed on a GPU.
    pub gpu: GpuSpec,
}

/// A buffer as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferSpec {
    /// For messages and other arguments.
    pub name: Option<String>,
    /// The type of its elements.
    pub element: Element,
    /// How many elements.
    pub count: u64,
    /// What it holds.
    pub fill: Fill,
}

/// An argument as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentSpec {
    /// A scalar.
    Scalar {
        /// Its type; none: an integer of the parameter's size.
        element: Option<Element>,
        /// Its bits.
        bits: u64,
    },
    /// The address of a byte of a buffer.
    Pointer {
        /// Index into [`LaunchSpec::buffers`].
        buffer: usize,
        /// Bytes from its start; below zero before it.
        offset: i64,
    },
    /// A structure by value.
    Structure {
        /// Its bytes, with zeros for the pointers.
        bytes: Vec<u8>,
        /// The pointers in it.
        pointers: Vec<PointerField>,
    },
}

/// A pointer in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerField {
    /// Its offset: bytes from the start of the structure. All eight bytes are within it.
    pub at: usize,
    /// Index into [`LaunchSpec::buffers`].
    pub buffer: usize,
    /// Bytes from the start of the buffer.
    pub offset: i64,
}

/// How a launch is run and timed on a GPU; what is not given is for the command to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuSpec {
    /// Launches before the timed ones.
    pub warm_up: Option<u32>,
    /// Timed launches.
    pub launches: Option<u32>,
    /// Whether results are compared.
    pub compare: Option<bool>,
}

impl LaunchSpec {
    /// A launch of the only kernel, without arguments.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        LaunchSpec {
            kernel: None,
            grid,
            block,
            dynamic_shared: 0,
            spacing: Spacing::default(),
            buffers: Vec::new(),
            arguments: Vec::new(),
            gpu: GpuSpec::default(),
        }
    }

    /// Appends a buffer without a name, and an argument that points so many bytes after its start. Gives the buffer's
    /// index.
    pub fn push_buffer(&mut self, element: Element, count: u64, fill: Fill, offset: i64) -> usize {
        let buffer = self.buffers.len();
        self.buffers.push(BufferSpec {
            name: None,
            element,
            count,
            fill,
        });
        self.arguments
            .push(ArgumentSpec::Pointer { buffer, offset });
        buffer
    }

    /// Appends a scalar.
    pub fn push_scalar(&mut self, element: Element, bits: u64) {
        self.arguments.push(ArgumentSpec::Scalar {
            element: Some(element),
            bits,
        });
    }

    /// The index of the buffer of that name.
    pub fn buffer_named(&self, name: &str) -> Option<usize> {
        let named = |buffer: &BufferSpec| buffer.name.as_deref() == Some(name);
        self.buffers.iter().position(named)
    }

    /// Bytes of all buffers.
    pub fn buffer_bytes(&self) -> u64 {
        let sizes = self.buffers.iter().map(BufferSpec::bytes);
        sizes.fold(0, u64::saturating_add)
    }

    /// The kernel that is launched: the one that is named, or the only one.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn function<'m>(&self, module: &'m Module) -> Result<&'m Function, KernelError> {
        let kernels = || module.functions.iter().filter(|f| f.entry && f.defined);
        let names = || kernels().map(|f| f.name.to_string()).collect::<Vec<_>>();
        let Some(first) = kernels().next() else {
            return Err(KernelError::None);
        };
        match &self.kernel {
            Some(name) => {
                kernels()
                    .find(|f| *f.name == **name)
                    .ok_or_else(|| KernelError::Unknown {
                        name: name.clone(),
                        known: names(),
                    })
            }
            None if kernels().nth(1).is_some() => Err(KernelError::Several(names())),
            None => Ok(first),
        }
    }

    /// Whether the arguments are what the kernel's parameters ask for, as far as sizes show.
    ///
    /// # Errors
    /// The first argument that does not fit.
    pub fn check(&self, function: &Function) -> Result<(), ArgumentError> {
        if self.arguments.len() != function.parameters.len() {
            return Err(ArgumentError::Number {
                arguments: self.arguments.len(),
                parameters: function.parameters.len(),
                kernel: function.name.to_string(),
            });
        }
        let pairs = self.arguments.iter().zip(&function.parameters);
        for (index, (argument, parameter)) in pairs.enumerate() {
            let name = || parameter.name.to_string();
            let size = match argument {
                ArgumentSpec::Scalar { element: None, .. } => {
                    if matches!(parameter.ty.kind, Kind::Float | Kind::BFloat) {
                        let name = name();
                        return Err(ArgumentError::Float { index, name });
                    }
                    parameter.bytes.min(8)
                }
                ArgumentSpec::Scalar {
                    element: Some(element),
                    ..
                } => u64::from(element.bytes()),
                ArgumentSpec::Pointer { .. } => 8,
                ArgumentSpec::Structure { bytes, .. } => bytes.len() as u64,
            };
            if size != parameter.bytes {
                return Err(ArgumentError::Size {
                    index,
                    name: name(),
                    parameter: parameter.bytes,
                    argument: size,
                });
            }
        }
        Ok(())
    }

    /// Allocates and fills all buffers.
    ///
    /// # Errors
    /// A buffer or all together are too large, a file cannot be read, or there is no memory.
    pub fn instantiate(&self) -> Result<Launch, InstanceError> {
        let bytes = self.buffer_bytes();
        if bytes > MAX_BUFFERS && self.buffers.len() > 1 {
            return Err(InstanceError::AllTooLarge(bytes));
        }
        let mut launch = Launch::new(self.grid, self.block);
        launch.dynamic_shared = self.dynamic_shared;
        launch.spacing = self.spacing;
        let address =
            |buffer: usize, offset: i64| self.spacing.address(buffer).wrapping_add_signed(offset);
        for (index, buffer) in self.buffers.iter().enumerate() {
            let mut instance = buffer.instantiate(index)?;
            if let Some(bytes) = buffer.structure(address) {
                instance.bytes = bytes;
            }
            launch.buffers.push(instance);
        }
        for argument in &self.arguments {
            let argument = match argument {
                ArgumentSpec::Scalar { bits, .. } => Argument::Scalar(*bits),
                ArgumentSpec::Pointer { buffer, offset } => Argument::Buffer {
                    index: *buffer,
                    offset: *offset as u64,
                },
                ArgumentSpec::Structure { .. } => {
                    launch.structures.extend(argument.structure(address));
                    Argument::Structure(launch.structures.len() - 1)
                }
            };
            launch.arguments.push(argument);
        }
        Ok(launch)
    }
}

impl ArgumentSpec {
    /// The bytes of a structure, with pointers as `address(buffer, offset)` gives them; none for other arguments.
    pub fn structure(&self, address: impl Fn(usize, i64) -> u64) -> Option<Vec<u8>> {
        match self {
            ArgumentSpec::Structure { bytes, pointers } => {
                Some(with_addresses(bytes, pointers, address))
            }
            _ => None,
        }
    }
}

/// The bytes of a structure with its pointers.
fn with_addresses(
    bytes: &[u8],
    pointers: &[PointerField],
    address: impl Fn(usize, i64) -> u64,
) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for pointer in pointers {
        let value = address(pointer.buffer, pointer.offset).to_le_bytes();
        let places = bytes.iter_mut().skip(pointer.at);
        places.zip(value).for_each(|(place, byte)| *place = byte);
    }
    bytes
}

impl BufferSpec {
    /// The bytes of a structure in memory, with pointers as `address(buffer, offset)` gives them; none for other contents.
    pub fn structure(&self, address: impl Fn(usize, i64) -> u64) -> Option<Vec<u8>> {
        match &self.fill {
            Fill::Structure { bytes, pointers } => Some(with_addresses(bytes, pointers, address)),
            _ => None,
        }
    }

    /// Size in bytes, of all elements together.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(u64::from(self.element.bytes()))
    }

    /// Allocates and fills it. `index` is its place in the launch, for messages.
    ///
    /// # Errors
    /// It is too large, its file cannot be read, or there is no memory for it.
    pub fn instantiate(&self, index: usize) -> Result<Buffer, InstanceError> {
        let size = self.bytes();
        if size > MAX_BUFFER {
            let (buffer, bytes) = (index, size);
            return Err(InstanceError::TooLarge { buffer, bytes });
        }
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(size as usize)
            .map_err(|_| InstanceError::Memory {
                buffer: index,
                bytes: size,
            })?;
        bytes.resize(size as usize, 0);
        self.write(0, &mut bytes)
            .map_err(|error| InstanceError::Contents {
                buffer: index,
                path: self.path(),
                error,
            })?;
        Ok(Buffer {
            bytes,
            initialised: self.fill != Fill::Uninitialised,
            element: self.element.bytes(),
        })
    }

    /// Fills `out` with the elements from number `first` on, so that large buffers can be made piece by piece.
    ///
    /// # Errors
    /// The file with the contents cannot be read. No other contents fail.
    pub fn write(&self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let Fill::File { path, skip } = &self.fill else {
            self.fill.generate(self.element, first, out);
            return Ok(());
        };
        let mut file = File::open(path)?;
        let start = first.saturating_mul(u64::from(self.element.bytes()));
        file.seek(SeekFrom::Start(skip.saturating_add(start)))?;
        file.read_exact(out)
    }

    fn path(&self) -> std::path::PathBuf {
        match &self.fill {
            Fill::File { path, .. } => path.clone(),
            _ => Default::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_structures_are_addresses() {
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        spec.push_buffer(Element::F32, 4, Fill::Zero, 0);
        spec.arguments.push(ArgumentSpec::Structure {
            bytes: vec![7; 16],
            pointers: vec![PointerField {
                at: 8,
                buffer: 0,
                offset: -4,
            }],
        });
        let launch = spec.instantiate().unwrap();
        assert_eq!(launch.arguments[1], Argument::Structure(0));
        let mut expected = vec![7; 8];
        expected.extend((Spacing::Spread.address(0) - 4).to_le_bytes());
        assert_eq!(launch.structures[0], expected);
    }

    #[test]
    fn a_buffer_that_is_too_large_or_has_no_file() {
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        spec.push_buffer(Element::F64, u64::MAX, Fill::Zero, 0);
        assert!(matches!(
            spec.instantiate(),
            Err(InstanceError::TooLarge { buffer: 0, .. })
        ));
        assert_eq!(spec.buffer_bytes(), u64::MAX);
        spec.push_buffer(Element::F64, 1, Fill::Zero, 0);
        assert!(matches!(
            spec.instantiate(),
            Err(InstanceError::AllTooLarge(_))
        ));
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        let path = "no such file".into();
        spec.push_buffer(Element::F64, 1, Fill::File { path, skip: 0 }, 0);
        assert!(matches!(
            spec.instantiate(),
            Err(InstanceError::Contents { buffer: 0, .. })
        ));
    }

    #[test]
    fn contents_of_a_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, &[0, 1, 2, 3, 4, 5, 6]).unwrap();
        let buffer = |count| BufferSpec {
            name: None,
            element: Element::U16,
            count,
            fill: Fill::File {
                path: file.path().to_owned(),
                skip: 1,
            },
        };
        assert_eq!(buffer(3).instantiate(0).unwrap().bytes, [1, 2, 3, 4, 5, 6]);
        assert!(buffer(4).instantiate(0).is_err());
        let mut part = [0; 2];
        buffer(3).write(1, &mut part).unwrap();
        assert_eq!(part, [3, 4]);
    }
}
