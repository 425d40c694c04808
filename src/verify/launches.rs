//! Launches made up for a kernel: what can be known from its parameters and from how it uses them.

use crate::ir::op::Op;
use crate::ir::opcode::Opcode;
use crate::ir::types::{Kind, Space, Special, Type};
use crate::ptx::decode::form::{Action, Function, Instruction, Parameter, Reg, Source, Symbol};
use crate::warp::launch::{Argument, Buffer, Element, Fill, Launch};
use rustc_hash::FxHashMap;

/// Block shapes: whole and partial warps, rows that share a warp, the largest block but one warp.
pub const BLOCKS: [[u32; 3]; 6] = [
    [128, 1, 1],
    [48, 1, 1],
    [16, 8, 1],
    [8, 8, 4],
    [1000, 1, 1],
    [32, 1, 1],
];

/// Sizes of the first dimension.
pub const SIZES: [u32; 5] = [5, 33, 64, 100, 131];
/// Sizes of the others: small, so that the whole stays small.
const OTHER_SIZES: [u32; 2] = [7, 6];
/// Elements before the byte that an argument points to, and behind what the sizes ask for: stencils look past their
/// edges.
const MARGIN: u64 = 2048;
/// Rounds of [`Usage`]'s fixed point: pointers carried through so many loop headers are still seen.
const ROUNDS: usize = 4;

/// Launches for a kernel: every block shape that it allows with every size, and random buffers by `seed`. None if it has
/// parameters that nothing is known about (structures).
pub fn launches(function: &Function, seed: u64) -> Vec<Launch> {
    let usage = Usage::of(function);
    if function.parameters.iter().any(|p| p.bytes > 8) {
        return Vec::new();
    }
    let shapes: Vec<[u32; 3]> = match function.required_threads {
        Some(block) => vec![block],
        None => BLOCKS
            .into_iter()
            .filter(|block| allowed(function, *block))
            .collect(),
    };
    let shapes = if shapes.is_empty() {
        vec![[32, 1, 1]]
    } else {
        shapes
    };
    let mut all = Vec::new();
    for &block in &shapes {
        for &size in &SIZES {
            all.push(launch(function, &usage, block, size, seed));
        }
    }
    all
}

fn allowed(function: &Function, block: [u32; 3]) -> bool {
    let threads = |block: [u32; 3]| block.iter().map(|&n| u64::from(n)).product::<u64>();
    function
        .max_threads
        .is_none_or(|most| threads(block) <= threads(most))
}

fn launch(function: &Function, usage: &Usage, block: [u32; 3], size: u32, seed: u64) -> Launch {
    let sizes = [size, OTHER_SIZES[0], OTHER_SIZES[1]];
    let mut grid = [1; 3];
    for axis in 0..3 {
        if usage.axes[axis] {
            grid[axis] = sizes[axis].div_ceil(block[axis]);
        }
    }
    let threads: u64 = (0..3)
        .map(|i| u64::from(grid[i]) * u64::from(block[i]))
        .product();
    let volume: u64 = sizes.iter().map(|&n| u64::from(n)).product();
    let count = threads.max(volume) + 2 * MARGIN;
    let mut launch = Launch::new(grid, block);
    let mut integers = 0;
    for (i, parameter) in function.parameters.iter().enumerate() {
        match usage.pointers[i] {
            Some(element) => {
                let fill = Fill::Random {
                    seed: seed.wrapping_mul(0x1_0001).wrapping_add(i as u64),
                    // Integers may be indices.
                    range: (!element.is_float()).then_some((0, 15)),
                };
                launch.arguments.push(Argument::Buffer {
                    index: launch.buffers.len(),
                    offset: MARGIN * u64::from(element.bytes()),
                });
                launch.buffers.push(Buffer::filled(element, count, fill));
            }
            None => launch
                .arguments
                .push(scalar(parameter, &sizes, &mut integers)),
        }
    }
    launch
}

/// Floats are small and different, integers the sizes in turn.
fn scalar(parameter: &Parameter, sizes: &[u32; 3], integers: &mut usize) -> Argument {
    let value = 0.5 + parameter.offset as f64 / 64.0;
    Argument::Scalar(match (parameter.ty.kind, parameter.ty.bits) {
        (Kind::Float, 32) => u64::from((value as f32).to_bits()),
        (Kind::Float, 64) => value.to_bits(),
        _ => {
            let size = sizes[(*integers).min(2)];
            *integers += 1;
            u64::from(size)
        }
    })
}

/// How a kernel uses its parameters and its place in the grid.
struct Usage {
    /// By parameter: what it points to.
    pointers: Vec<Option<Element>>,
    /// Axes of the grid or block that are read.
    axes: [bool; 3],
}

impl Usage {
    fn of(function: &Function) -> Usage {
        let mut flow = Flow::default();
        for _ in 0..ROUNDS {
            let known = flow.from.len();
            for instruction in &function.instructions {
                flow.visit(instruction);
            }
            if flow.from.len() == known {
                break;
            }
        }
        let mut usage = Usage {
            pointers: vec![None; function.parameters.len()],
            axes: [true, false, false],
        };
        for (i, parameter) in function.parameters.iter().enumerate() {
            let found = flow.accessed.get(&(i as u32)).copied();
            if parameter.bytes == 8 && (found.is_some() || parameter.pointer.is_some()) {
                usage.pointers[i] = Some(found.map_or(Element::F32, element));
            }
        }
        for source in function.instructions.iter().flat_map(|i| &i.operands) {
            if let Source::Special(Special::Tid(axis) | Special::Ctaid(axis)) = source
                && let Some(used) = usage.axes.get_mut(usize::from(*axis))
            {
                *used = true;
            }
        }
        usage
    }
}

/// From which parameter the pointer in a register comes.
#[derive(Default)]
struct Flow {
    from: FxHashMap<Reg, u32>,
    /// By parameter: the type that is loaded or stored through it.
    accessed: FxHashMap<u32, Type>,
}

impl Flow {
    fn visit(&mut self, instruction: &Instruction) {
        let Action::Do(opcode) = &instruction.action else {
            return;
        };
        let from = |i: usize| self.origin(instruction.operands.get(i));
        let result = match opcode {
            Opcode::Load(access) => match instruction.operands.first() {
                Some(Source::Address(Symbol::Parameter(i), 0)) if access.offset == 0 => Some(*i),
                _ => {
                    self.access(from(0), access.ty);
                    None
                }
            },
            Opcode::Store(access) => {
                self.access(from(0), access.ty);
                None
            }
            Opcode::Atomic { ty, .. } => {
                self.access(from(0), *ty);
                None
            }
            Opcode::Op(Op::Add { width: 64 } | Op::Select { .. }) => from(0).or(from(1)),
            Opcode::Op(Op::MulAdd { .. }) => from(2),
            Opcode::Op(
                Op::Copy { width: 64 }
                | Op::Sub { width: 64 }
                | Op::ToGeneric {
                    space: Space::Global,
                    ..
                }
                | Op::FromGeneric {
                    space: Space::Global,
                    ..
                },
            ) => from(0),
            _ => None,
        };
        if let (Some(parameter), Some(Some(reg))) = (result, instruction.results.first()) {
            self.from.entry(*reg).or_insert(parameter);
        }
    }

    fn origin(&self, source: Option<&Source>) -> Option<u32> {
        match source? {
            Source::Reg(reg) => self.from.get(reg).copied(),
            _ => None,
        }
    }

    fn access(&mut self, parameter: Option<u32>, ty: Type) {
        if let Some(parameter) = parameter {
            let slot = self.accessed.entry(parameter).or_insert(ty);
            // `.b32` says less than `.f32`.
            if slot.kind == Kind::Bits {
                *slot = ty;
            }
        }
    }
}

/// Untyped words of 32 and 64 bits are taken for floats: clang loads floats as `.b32`.
fn element(ty: Type) -> Element {
    match (ty.kind, ty.bits) {
        (Kind::Float | Kind::Bits, 32) => Element::F32,
        (Kind::Float | Kind::Bits, 64) => Element::F64,
        (Kind::Float, 16) => Element::F16,
        (Kind::BFloat, 16) => Element::Bf16,
        (_, bits) => Element::unsigned(bits / 8),
    }
}
