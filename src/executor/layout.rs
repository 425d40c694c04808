//! Where the symbols of a program lie, and the memory they stand for before it runs.

use super::error::{ExecutionError, Fault, error};
use super::launch::{Argument, Launch};
use super::memory::{
    Arena, FUNCTION_BASE, FUNCTION_SHIFT, MAX_GLOBAL_REGIONS, MAX_WINDOW_REGIONS, WINDOW_SHIFT,
    frame_shift, slot_address, window,
};
use super::spacing::Spacing;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{
    Function, Initial, InitialAddress, Module, Parameter, Symbol, Variable,
};
use std::borrow::Cow;
use std::sync::Arc;

/// Most bytes of static and dynamic shared memory together.
const MAX_WINDOW_BYTES: u64 = 1 << 22;
/// Most bytes of the module's variables in global and constant memory.
const MAX_STATIC_BYTES: u64 = 1 << 31;
/// Most bytes of a thread's local memory (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
pub(super) const MAX_LOCAL_BYTES: u64 = 512 << 10;

/// A variable in the memory of an activation of a function.
#[derive(Clone, Debug)]
pub(super) struct FrameVariable {
    pub(super) name: Arc<str>,
    pub(super) bytes: u64,
}

/// Where something lies.
#[derive(Clone, Debug)]
pub(super) enum Location {
    /// At an address that is the same for all.
    At(u64),
    /// In memory of the activation of a function: number of the variable there.
    Frame(u32),
    /// Nowhere that is known, and why.
    Unknown(String),
}

/// The memory of one function: its own variables and, of a device function, what it is given and gives back.
#[derive(Debug, Default)]
pub(super) struct FrameLayout {
    pub(super) variables: Vec<FrameVariable>,
    pub(super) locals: Vec<Location>,
    pub(super) parameters: Vec<Location>,
    pub(super) returns: Vec<Location>,
}

/// Where each symbol lies.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    module: &'a Module,
    /// By module variable.
    globals: Vec<Location>,
    /// Sizes of the variables in shared memory, in the order of their regions.
    shared: Vec<(&'a str, u64)>,
    /// The variables in global and constant memory, in the order of their regions after the launch's buffers.
    pub(super) statics: Vec<&'a Variable>,
    buffers: usize,
    spacing: Spacing,
    /// Largest variable of a frame.
    largest: u64,
    /// There are device functions: frames come and go.
    calls: bool,
}

impl<'a> Layout<'a> {
    /// The module's variables.
    pub(super) fn new(module: &'a Module, launch: &Launch, calls: bool) -> Self {
        let mut layout = Layout {
            module,
            globals: Vec::new(),
            shared: vec![("dynamic shared memory", u64::from(launch.dynamic_shared))],
            statics: Vec::new(),
            buffers: launch.buffers.len(),
            spacing: launch.spacing,
            largest: 0,
            calls,
        };
        for variable in &module.variables {
            let location = layout.fixed(variable);
            layout.globals.push(location);
        }
        layout
    }

    /// A variable that all activations share.
    fn fixed(&mut self, variable: &'a Variable) -> Location {
        let unknown =
            |what: &str| Location::Unknown(format!("variable `{}`, {what}", variable.name));
        match variable.space {
            _ if variable.initial == Initial::Unknown => {
                unknown("whose initial value is not understood")
            }
            Space::Global | Space::Const if variable.external && variable.bytes == 0 => {
                unknown("which is defined elsewhere")
            }
            Space::Global | Space::Const => {
                self.statics.push(variable);
                let index = self.buffers + self.statics.len() - 1;
                let generic = self.spacing.address(index);
                Location::At(generic - window(variable.space).unwrap_or(0))
            }
            Space::Shared | Space::SharedCluster => Location::At(self.shared_variable(variable)),
            _ => unknown("in a state space that only functions have"),
        }
    }

    /// Variables without a size are dynamic shared memory: all at the same place.
    fn shared_variable(&mut self, variable: &'a Variable) -> u64 {
        if variable.bytes == 0 {
            return slot_address(0, WINDOW_SHIFT, 0);
        }
        self.shared.push((&variable.name, variable.bytes));
        slot_address(0, WINDOW_SHIFT, self.shared.len() - 1)
    }

    /// The memory of one function; that of a kernel is at addresses that are known.
    pub(super) fn frame(&mut self, function: &'a Function) -> FrameLayout {
        let mut frame = FrameLayout::default();
        if function.entry {
            let location =
                |p: &Parameter| Location::At(slot_address(0, WINDOW_SHIFT, 0) + p.offset);
            frame.parameters = function.parameters.iter().map(location).collect();
        } else {
            let mut formal = |p: &Parameter| match p.register {
                Some(_) => Location::Unknown(format!("parameter `{}`, a register", p.name)),
                None => frame_variable(&mut frame.variables, &p.name, p.bytes),
            };
            frame.returns = function.returns.iter().map(&mut formal).collect();
            frame.parameters = function.parameters.iter().map(&mut formal).collect();
        }
        for variable in &function.variables {
            let location = match variable.space {
                Space::Global | Space::Const | Space::Shared | Space::SharedCluster => {
                    self.fixed(variable)
                }
                _ if variable.initial != Initial::None => Location::Unknown(format!(
                    "variable `{}`, whose initial value is not understood",
                    variable.name
                )),
                _ => frame_variable(&mut frame.variables, &variable.name, variable.bytes),
            };
            frame.locals.push(location);
        }
        let largest = frame.variables.iter().map(|v| v.bytes).max();
        self.largest = self.largest.max(largest.unwrap_or(0));
        frame
    }

    /// The distance of local variables, as a power of two: that of the other windows where nobody calls.
    pub(super) fn local_shift(&self) -> u32 {
        match self.calls {
            true => frame_shift(self.largest),
            false => WINDOW_SHIFT,
        }
    }

    /// The address of a variable of the kernel in local memory.
    pub(super) fn local_address(&self, variable: u32) -> u64 {
        slot_address(0, self.local_shift(), variable as usize)
    }

    /// Refuses what is too large.
    pub(super) fn check(&self, kernel: &FrameLayout) -> Result<(), ExecutionError> {
        let shared = total(self.shared.iter().map(|v| v.1));
        if shared > MAX_WINDOW_BYTES {
            return Err(bad_launch(format!("{shared} bytes of shared memory")));
        }
        let local = total(kernel.variables.iter().map(|v| v.bytes));
        if local > MAX_LOCAL_BYTES || self.largest > MAX_LOCAL_BYTES {
            return Err(unsupported("more than 512 KiB of local memory"));
        }
        if self.shared.len() > MAX_WINDOW_REGIONS
            || (!self.calls && kernel.variables.len() > MAX_WINDOW_REGIONS)
        {
            return Err(unsupported("so many shared or local variables"));
        }
        if self.buffers + self.statics.len() > MAX_GLOBAL_REGIONS {
            return Err(unsupported("so many global variables"));
        }
        if total(self.statics.iter().map(|v| v.bytes)) > MAX_STATIC_BYTES {
            return Err(unsupported("global variables that large"));
        }
        Ok(())
    }

    /// Where a symbol in the text of a function lies.
    pub(super) fn location(
        &self,
        function: &Function,
        frame: &FrameLayout,
        symbol: Symbol,
    ) -> Location {
        let (list, index) = match symbol {
            Symbol::Global(index) => (&self.globals, index),
            Symbol::Local(index) => (&frame.locals, index),
            Symbol::Parameter(index) => (&frame.parameters, index),
            Symbol::Return(index) => (&frame.returns, index),
            Symbol::Function(index) => return Location::At(function_address(index)),
        };
        list.get(index as usize)
            .cloned()
            .unwrap_or_else(|| Location::Unknown(format!("a symbol of `{}`", function.name)))
    }

    /// Shared memory of a new block.
    pub(super) fn shared_memory(&self) -> Arena {
        let mut arena = Arena::window(WINDOW_SHIFT);
        for (name, bytes) in &self.shared {
            arena.push(&Arc::from(*name), vec![0; *bytes as usize], false);
        }
        arena
    }

    /// Global memory: the launch's buffers, then the variables in `.global` and `.const`.
    pub(super) fn global_memory(&self, launch: &Launch) -> Arena {
        let mut arena = Arena::global(launch.spacing);
        for (i, buffer) in launch.buffers.iter().enumerate() {
            let name = Arc::from(format!("buffer {i}"));
            arena.push(&name, buffer.bytes.clone(), buffer.initialised);
        }
        for variable in &self.statics {
            let name = Arc::from(&*variable.name);
            arena.push(&name, self.initial_bytes(variable), true);
            if let Some(region) = arena.regions.last_mut() {
                region.read_only = variable.space == Space::Const;
            }
        }
        arena
    }

    /// What a variable holds before the kernel starts.
    fn initial_bytes(&self, variable: &Variable) -> Vec<u8> {
        let mut bytes = vec![0; variable.bytes as usize];
        let Initial::Known(contents) = &variable.initial else {
            return bytes;
        };
        for (slot, byte) in bytes.iter_mut().zip(&contents.bytes) {
            *slot = *byte;
        }
        for address in &contents.addresses {
            let word = self.initial_word(address).to_le_bytes();
            let place = bytes.iter_mut().skip(address.at as usize);
            for (slot, byte) in place.zip(word).take(usize::from(address.bytes)) {
                *slot = byte;
            }
        }
        bytes
    }

    fn initial_word(&self, address: &InitialAddress) -> u64 {
        let (base, start) = match address.symbol {
            Symbol::Global(index) => {
                let variable = self.module.variables.get(index as usize);
                let start = variable.and_then(|variable| window(variable.space));
                match self.globals.get(index as usize) {
                    Some(Location::At(base)) => (*base, start),
                    _ => (0, None),
                }
            }
            Symbol::Function(index) => (function_address(index), None),
            _ => (0, None),
        };
        let start = start.filter(|_| address.generic).unwrap_or(0);
        let word = base.wrapping_add(start).wrapping_add_signed(address.offset);
        match address.byte {
            Some(byte) => word >> (8 * u32::from(byte)) & 0xff,
            None => word,
        }
    }
}

fn frame_variable(variables: &mut Vec<FrameVariable>, name: &str, bytes: u64) -> Location {
    variables.push(FrameVariable {
        name: name.into(),
        bytes,
    });
    Location::Frame(variables.len() as u32 - 1)
}

fn total(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

/// The address of a function of the module.
fn function_address(index: u32) -> u64 {
    FUNCTION_BASE + (u64::from(index) << FUNCTION_SHIFT)
}

/// The function of the module at an address.
pub(super) fn function_at(address: u64) -> Option<u32> {
    let offset = address.checked_sub(FUNCTION_BASE)?;
    let index = u32::try_from(offset >> FUNCTION_SHIFT).ok()?;
    (function_address(index) == address).then_some(index)
}

/// The names of the regions of global memory, as messages call them.
pub(super) fn global_memory_names(module: &Module, launch: &Launch) -> Vec<String> {
    let buffers = (0..launch.buffers.len()).map(|i| format!("buffer {i}"));
    let layout = Layout::new(module, launch, false);
    let statics = layout.statics.iter().map(|v| v.name.to_string());
    buffers.chain(statics).collect()
}

/// The parameter block of a kernel. It is one region in a window of its own.
pub(super) fn parameter_memory(
    function: &Function,
    launch: &Launch,
) -> Result<Arena, ExecutionError> {
    if function.parameters.len() != launch.arguments.len() {
        return Err(bad_launch(format!(
            "{} arguments for {} parameters",
            launch.arguments.len(),
            function.parameters.len()
        )));
    }
    let size = function
        .parameters
        .iter()
        .map(|p| p.offset.saturating_add(p.bytes))
        .max()
        .unwrap_or(0);
    if size > MAX_WINDOW_BYTES {
        return Err(bad_launch(format!("{size} bytes of parameters")));
    }
    let mut block = vec![0; size as usize];
    for (parameter, argument) in function.parameters.iter().zip(&launch.arguments) {
        let start = parameter.offset as usize;
        let place = &mut block[start..start + parameter.bytes as usize];
        let bytes = argument_bytes(parameter, *argument, launch)?;
        let Some(bytes) = bytes.get(..place.len()) else {
            return Err(bad_launch(format!(
                "parameter {} has {} bytes, its argument {}",
                parameter.name,
                parameter.bytes,
                bytes.len()
            )));
        };
        place.copy_from_slice(bytes);
    }
    let mut arena = Arena::window(WINDOW_SHIFT);
    arena.push(&"parameters".into(), block, true);
    arena.regions[0].read_only = true;
    Ok(arena)
}

/// At least the bytes of an argument: a scalar has eight.
fn argument_bytes<'l>(
    parameter: &Parameter,
    argument: Argument,
    launch: &'l Launch,
) -> Result<Cow<'l, [u8]>, ExecutionError> {
    let bits = match argument {
        Argument::Scalar(bits) => bits,
        Argument::Buffer { index, offset } => {
            if index >= launch.buffers.len() || parameter.bytes != 8 {
                return Err(bad_launch(format!(
                    "parameter {} cannot hold a pointer to buffer {index}",
                    parameter.name
                )));
            }
            launch.spacing.address(index).wrapping_add(offset)
        }
        Argument::Structure(index) => {
            let Some(bytes) = launch.structures.get(index) else {
                return Err(bad_launch(format!("there is no structure {index}")));
            };
            return Ok(Cow::Borrowed(bytes));
        }
    };
    Ok(Cow::Owned(bits.to_le_bytes().to_vec()))
}

fn unsupported(what: &str) -> ExecutionError {
    error(Fault::NotSupported(what.to_owned()))
}

fn bad_launch(what: String) -> ExecutionError {
    error(Fault::BadLaunch(what))
}
