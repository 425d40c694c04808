//! Shadow execution in binary128: what a kernel would store if its floating-point operations did not round.
//!
//! The kernel itself runs unchanged: its own values decide branches and addresses. Each register and each stored word has a shadow
//! value in binary128. Floating-point operations compute on shadow values; copies, selects, loads and shuffles propagate them, if
//! the bits are equal. Any other operation (integers, halves of a word, atomics, calls) restarts the shadow value from the bits.
//! A kernel that rounds on purpose, for example by adding 2^23 and subtracting it again, therefore gets a wrong shadow value.

use super::lanes::{LANES, lanes};
use super::launch::Launch;
use super::memory::MemoryLocation;
use super::observer::{Observer, TouchKind, Touched};
use super::program::{Inst, Src};
use super::state::{Block, Registers};
use super::{ExecutionError, FinalBuffer, Options, Outcome, Schedule, observed};
use ptxasw_ir::op::{FloatMode, FloatOp, Op};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics::{Concrete, apply, concrete::cut};
use ptxasw_ir::types::{Space, Type};
use ptxasw_ptx::decode::form::{Action, Function, Module};
use rustc_apfloat::ieee::{Double, Quad, Single};
use rustc_apfloat::{Float, FloatConvert};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Runs a kernel in lockstep. Where it has stored a number of 4 or 8 bytes, what it leaves is that of binary128, rounded once.
///
/// # Errors
/// The first fault.
pub fn run_precise(
    module: &Module,
    function: &Function,
    launch: &Launch,
    options: Options,
) -> Result<Outcome, ExecutionError> {
    let mut precise = Precise::default();
    let schedule = Schedule::Lockstep;
    let mut outcome = observed(module, function, launch, schedule, options, &mut precise)?;
    precise.leave(&mut outcome);
    Ok(outcome)
}

/// A word with its shadow value, if that differs from the value of its bits.
#[derive(Clone, Copy, Default)]
struct Word {
    bits: u64,
    number: Option<Quad>,
}

impl Word {
    const fn of_bits(bits: u64) -> Self {
        Word { bits, number: None }
    }

    /// As a number of a type.
    fn number(self, ty: Type) -> Option<Quad> {
        let own = || match ty {
            Type::F32 => Some(
                Single::from_bits(self.bits.into())
                    .convert(&mut false)
                    .value,
            ),
            Type::F64 => Some(
                Double::from_bits(self.bits.into())
                    .convert(&mut false)
                    .value,
            ),
            _ => None,
        };
        self.number.or_else(own).filter(|number| number.is_finite())
    }
}

/// A word in memory: its place, and the block or thread whose place it is.
type Key = (Space, u64, usize, usize);

/// The registers of a warp, column by column.
type Columns = Vec<[Word; LANES]>;

#[derive(Default)]
struct Precise {
    /// By the number of their first thread.
    warps: FxHashMap<u64, Columns>,
    memory: Memory,
    /// Accesses of the instruction that is being executed.
    touched: Vec<Touched>,
}

/// Stored words of 4 and 8 bytes that have a shadow value.
#[derive(Default)]
struct Memory {
    global: FxHashMap<Key, (u32, Word)>,
    /// Of the block that is running: in its shared memory, and its threads' own.
    inner: FxHashMap<Key, (u32, Word)>,
}

impl Memory {
    fn of(&mut self, space: Space) -> &mut FxHashMap<Key, (u32, Word)> {
        match space {
            Space::Global => &mut self.global,
            _ => &mut self.inner,
        }
    }
}

/// Where a word of memory is. Global memory has one owner.
fn key(block: &Block, thread: u64, place: MemoryLocation, offset: usize) -> Key {
    let (space, owner) = match place.space {
        Space::Shared | Space::SharedCluster => (Space::Shared, block.first_thread),
        Space::Local | Space::ParamFunc => (Space::Local, thread),
        _ => (Space::Global, 0),
    };
    (space, owner, place.region, offset)
}

impl Observer for Precise {
    fn executed(&mut self, block: &Block, w: usize, _: u32, inst: &Inst, on: u32) {
        let touched = std::mem::take(&mut self.touched);
        let registers = &block.warps[w].registers;
        let first = block.first_thread + w as u64 * 32;
        let columns = self.warps.entry(first).or_default();
        let before = Before {
            columns,
            registers,
            inst,
        };
        let mut numbers: SmallVec<[[Option<Quad>; LANES]; 1]> = SmallVec::new();
        numbers.resize(inst.results.len(), [None; LANES]);
        match &inst.source.action {
            Action::Do(Opcode::Op(op)) => {
                for lane in lanes(on) {
                    before.operation(op, lane, &mut numbers);
                }
            }
            Action::Do(Opcode::Shuffle { .. }) => {
                for lane in lanes(on) {
                    let source = before.any_lane(lane);
                    numbers.iter_mut().take(1).for_each(|n| n[lane] = source);
                }
            }
            Action::Do(Opcode::Load(access)) => {
                let size = usize::from(access.ty.bits / 8);
                for one in &touched {
                    let lane = (one.thread - first) as usize;
                    for (i, numbers) in numbers.iter_mut().enumerate() {
                        let at = key(block, one.thread, one.place, one.place.offset + i * size);
                        let bits = before.result(i, lane);
                        let stored = self.memory.of(at.0).get(&at);
                        let stored = stored
                            .filter(|(bytes, word)| *bytes as usize == size && word.bits == bits);
                        numbers[lane] = stored.and_then(|(_, word)| word.number);
                    }
                }
            }
            Action::Do(Opcode::Store(access)) => {
                let threads = on.count_ones() as usize;
                let elements = access.accessed().map(usize::from);
                let operands =
                    elements.flat_map(|element| std::iter::repeat_n(1 + element, threads));
                for (operand, one) in operands.zip(&touched) {
                    let lane = (one.thread - first) as usize;
                    let mut word = before.operand(operand, lane);
                    word.bits = cut((one.bytes * 8) as u8, word.bits);
                    let at = key(block, one.thread, one.place, one.place.offset);
                    match word.number {
                        Some(_) => self.memory.of(at.0).insert(at, (one.bytes, word)),
                        None => self.memory.of(at.0).remove(&at),
                    };
                }
            }
            _ => {
                for one in touched.iter().filter(|one| one.kind != TouchKind::Load) {
                    let at = key(block, one.thread, one.place, one.place.offset);
                    self.memory.of(at.0).remove(&at);
                }
            }
        }
        for (dst, numbers) in inst.results.iter().zip(&numbers) {
            let Some(dst) = dst else { continue };
            let column = (registers.base + dst.reg) as usize;
            if columns.len() <= column {
                columns.resize(column + 1, [Word::default(); LANES]);
            }
            for lane in lanes(on) {
                columns[column][lane] = Word {
                    bits: registers.value(dst.reg, lane),
                    number: numbers[lane],
                };
            }
        }
    }

    fn touched(&mut self, _: &Block, _: &Inst, touched: Touched) {
        self.touched.push(touched);
    }

    fn finished(&mut self, block: &Block) {
        self.memory.inner.clear();
        for w in 0..block.warps.len() as u64 {
            self.warps.remove(&(block.first_thread + w * 32));
        }
    }
}

/// Words in front of an instruction whose results are in their registers already.
struct Before<'a> {
    columns: &'a Columns,
    registers: &'a Registers,
    inst: &'a Inst<'a>,
}

impl Before<'_> {
    fn result(&self, index: usize, lane: usize) -> u64 {
        let dst = self.inst.results.get(index).copied().flatten();
        dst.map_or(0, |dst| self.registers.value(dst.reg, lane))
    }

    /// Whether the instruction has written over an operand.
    fn is_overwritten(&self, reg: u32) -> bool {
        let mut results = self.inst.results.iter().flatten();
        results.any(|dst| dst.reg == reg)
    }

    fn operand(&self, index: usize, lane: usize) -> Word {
        match self.inst.operands.get(index) {
            Some(&Src::Reg(reg)) => {
                let column = (self.registers.base + reg) as usize;
                let known = self.columns.get(column).map(|column| column[lane]);
                if self.is_overwritten(reg) {
                    return known.unwrap_or_default();
                }
                let bits = self.registers.value(reg, lane);
                known
                    .filter(|word| word.bits == bits)
                    .unwrap_or(Word::of_bits(bits))
            }
            Some(&Src::Imm(bits)) => Word::of_bits(bits),
            _ => Word::default(),
        }
    }

    /// The number of the first operand in a lane in which it has the bits of this lane's result.
    fn any_lane(&self, lane: usize) -> Option<Quad> {
        let bits = self.result(0, lane);
        let mut words = (0..LANES).map(|other| self.operand(0, other));
        words.find(|word| word.bits == bits)?.number
    }

    fn operation(&self, op: &Op, lane: usize, numbers: &mut [[Option<Quad>; LANES]]) {
        let count = self.inst.widths.len();
        let operands: SmallVec<[Word; 4]> = (0..count).map(|i| self.operand(i, lane)).collect();
        let written = |src: &Src| matches!(src, Src::Reg(reg) if self.is_overwritten(*reg));
        if self.inst.operands.iter().take(count).any(written) {
            // What was there is known only if nothing but instructions wrote it.
            let bits: SmallVec<[u64; 4]> = operands.iter().map(|word| word.bits).collect();
            let bits = apply(&mut Concrete, op, &bits);
            if bits.first() != Some(&self.result(0, lane)) {
                return;
            }
        }
        let computed = computed(op, &operands);
        for (i, numbers) in numbers.iter_mut().enumerate() {
            let bits = self.result(i, lane);
            let same = || operands.iter().find(|word| word.bits == bits)?.number;
            numbers[lane] = match computed {
                Some(number) => number.filter(|number| number.is_finite()),
                None if is_copy(op) => same(),
                None => None,
            };
        }
    }
}

/// Whether the result is one of the operands.
fn is_copy(op: &Op) -> bool {
    matches!(
        op,
        Op::Copy { .. }
            | Op::Select { .. }
            | Op::SelectSign { .. }
            | Op::Float {
                op: FloatOp::Min | FloatOp::Max,
                ..
            }
    )
}

/// The result of floating-point arithmetic; none for other operations.
fn computed(op: &Op, operands: &[Word]) -> Option<Option<Quad>> {
    let number = |index: usize, ty| operands.get(index).and_then(|word| word.number(ty));
    let plain = |mode: FloatMode| !mode.saturate && !mode.relu && !mode.xorsign_abs;
    match *op {
        Op::Float { op, ty, mode } if matches!(ty, Type::F32 | Type::F64) => {
            if matches!(op, FloatOp::Min | FloatOp::Max) {
                return None;
            }
            let of_one = |a| one_operand(op, ty, a).or_else(|| two(op, a, number(1, ty)?));
            let value = || match op {
                FloatOp::Fma => {
                    let [a, b, c] = [0, 1, 2].map(|i| number(i, ty));
                    Some(a?.mul_add(b?, c?).value)
                }
                _ => of_one(number(0, ty)?),
            };
            Some(plain(mode).then(value).flatten())
        }
        Op::Convert {
            from: from @ (Type::F32 | Type::F64),
            to: Type::F32 | Type::F64,
            mode,
            integral: false,
        } => Some(plain(mode).then(|| number(0, from)).flatten()),
        _ => None,
    }
}

fn two(op: FloatOp, a: Quad, b: Quad) -> Option<Quad> {
    let result = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        _ => return None,
    };
    Some(result.value)
}

/// Of a transcendental function, which PTX has for numbers of 32 bits, binary64 has twice the precision.
fn one_operand(op: FloatOp, ty: Type, a: Quad) -> Option<Quad> {
    let by_double = |function: fn(f64) -> f64| {
        let result = (ty == Type::F32).then(|| function(double(a)))?;
        Some(
            Double::from_bits(result.to_bits().into())
                .convert(&mut false)
                .value,
        )
    };
    match op {
        FloatOp::Neg => Some(-a),
        FloatOp::Abs => Some(a.abs()),
        FloatOp::Rcp => Some((one() / a).value),
        FloatOp::Sqrt => root(a),
        FloatOp::Rsqrt => Some((one() / root(a)?).value),
        FloatOp::Sin => by_double(f64::sin),
        FloatOp::Cos => by_double(f64::cos),
        FloatOp::Lg2 => by_double(f64::log2),
        FloatOp::Ex2 => by_double(f64::exp2),
        FloatOp::Tanh => by_double(f64::tanh),
        _ => None,
    }
}

fn one() -> Quad {
    Quad::from_u128(1).value
}

/// Rounded to binary64.
fn double(number: Quad) -> f64 {
    let double: Double = number.convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

/// The square root, by Newton's steps from that in binary64, each of which doubles the right bits.
fn root(number: Quad) -> Option<Quad> {
    if number.is_zero() {
        return Some(number);
    }
    let near = double(number).sqrt();
    if !near.is_normal() {
        return None;
    }
    let near: Quad = Double::from_bits(near.to_bits().into())
        .convert(&mut false)
        .value;
    let step = |near: Quad| ((near + (number / near).value).value).scalbn(-1);
    Some(step(step(near)))
}

impl Precise {
    /// Puts the numbers into what a run leaves, where its words are still there.
    fn leave(&self, outcome: &mut Outcome) {
        for (&(space, _, region, offset), &(bytes, word)) in &self.memory.global {
            let (Space::Global, Some(number)) = (space, word.number) else {
                continue;
            };
            let memory = match outcome.buffers.get_mut(region) {
                Some(buffer) => Some(buffer),
                None => {
                    let mut variables = outcome.variables.iter_mut();
                    let variable = variables.find(|variable| variable.region == region);
                    variable.map(|variable| &mut variable.memory)
                }
            };
            if let Some(memory) = memory {
                put(memory, offset, bytes as usize, word.bits, number);
            }
        }
    }
}

fn put(memory: &mut FinalBuffer, offset: usize, bytes: usize, bits: u64, number: Quad) {
    let Some(place) = memory.bytes.get_mut(offset..offset + bytes) else {
        return;
    };
    let rounded = match bytes {
        4 => {
            let single: Single = number.convert(&mut false).value;
            single.to_bits() as u64
        }
        8 => double(number).to_bits(),
        _ => return,
    };
    if *place == bits.to_le_bytes()[..bytes] {
        place.copy_from_slice(&rounded.to_le_bytes()[..bytes]);
    }
}
