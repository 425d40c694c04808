//! The parts of parameters that a function reads, and the values that a call passes there.
//!
//! A parameter is a register of the function, or memory of its own that `ld.param` reads; the caller fills a variable of
//! the same kind by `st.param` right before the call.

use super::Body;
use crate::decode::form::{Action, Instruction, Source, Symbol};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::opcode::{Access, Effects, Opcode};
use ptxasw_ir::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bits of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Piece {
    /// Index of the parameter.
    pub formal: u32,
    /// Bytes from its start.
    pub offset: i64,
    /// How many.
    pub bits: u8,
}

/// Where a function reads its parameters.
#[derive(Default)]
pub(super) struct Formals {
    reads: FxHashMap<InstId, Piece>,
}

impl Formals {
    /// Looks through a device function. A parameter whose address is used for anything but loads is left out.
    pub(super) fn new(body: &Body) -> Self {
        let mut formals = Formals::default();
        if body.form.entry {
            return formals;
        }
        formals.registers(body);
        let mut used_otherwise = FxHashSet::default();
        for instruction in &body.form.instructions {
            if loaded(instruction).is_none() {
                used_otherwise.extend(instruction.operands.iter().filter_map(parameter));
            }
        }
        let passed = body.form.calls.iter().flat_map(|call| &call.arguments);
        used_otherwise.extend(passed.filter_map(parameter));
        let function = &body.lowered.function;
        for (index, inst) in (0..).zip(&function.insts) {
            if inst.guard.is_some() || !matches!(inst.opcode, Opcode::Load(_)) {
                continue;
            }
            let Some((formal, offset, access)) = instruction(body, inst.origin).and_then(loaded)
            else {
                continue;
            };
            let whole = inst
                .results
                .first()
                .is_some_and(|&result| function.value(result).width == access.ty.bits);
            if whole && !used_otherwise.contains(&formal) {
                let offset = offset.wrapping_add(access.offset);
                let bits = access.ty.bits;
                let piece = Piece {
                    formal,
                    offset,
                    bits,
                };
                formals.reads.insert(InstId(index), piece);
            }
        }
        formals
    }

    /// Parameters that are registers: lowering defines them first of all, in order.
    fn registers(&mut self, body: &Body) {
        let function = &body.lowered.function;
        let Some(entry) = function.blocks.first() else {
            return;
        };
        let in_registers = (0..)
            .zip(&body.form.parameters)
            .flat_map(|(formal, parameter)| {
                parameter.registers().map(move |_| (formal, parameter))
            });
        for ((formal, parameter), &id) in in_registers.zip(&entry.insts) {
            let inst = function.inst(id);
            let unknown = matches!(&inst.opcode, Opcode::Opaque { effects } if *effects == Effects::NONE)
                && inst.args.is_empty();
            let bits = inst
                .results
                .first()
                .map(|&value| function.value(value).width);
            if let Some(bits @ 8..=64) = bits.filter(|_| unknown)
                && parameter.ty.bits == bits
                && parameter.bytes == u64::from(bits / 8)
            {
                let offset = 0;
                self.reads.insert(
                    id,
                    Piece {
                        formal,
                        offset,
                        bits,
                    },
                );
            }
        }
    }

    /// What an instruction reads of a parameter, if that is all that it does.
    pub(super) fn read_by(&self, inst: InstId) -> Option<Piece> {
        self.reads.get(&inst).copied()
    }

    /// All reads, in the order of the text.
    pub(super) fn reads(&self) -> Vec<(InstId, Piece)> {
        let mut reads: Vec<_> = self.reads.iter().map(|(&id, &piece)| (id, piece)).collect();
        reads.sort_unstable();
        reads
    }

    /// All pieces, each once.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = self.reads.values().copied().collect();
        pieces.sort_unstable();
        pieces.dedup();
        pieces
    }
}

/// The parameter, the offset in it and the access of a plain `ld.param` by name.
fn loaded(instruction: &Instruction) -> Option<(u32, i64, Access)> {
    match (&instruction.action, instruction.operands.first()?) {
        (Action::Do(Opcode::Load(access)), &Source::Address(Symbol::Parameter(formal), offset))
            if access.space == Space::ParamFunc
                && access.elements == 1
                && access.order.is_weak() =>
        {
            Some((formal, offset, *access))
        }
        _ => None,
    }
}

fn parameter(source: &Source) -> Option<u32> {
    match *source {
        Source::Address(Symbol::Parameter(formal), _) => Some(formal),
        _ => None,
    }
}

fn instruction(body: &Body, statement: u32) -> Option<&Instruction> {
    let instructions = &body.form.instructions;
    let index = instructions.binary_search_by_key(&statement, |one| one.statement);
    instructions.get(index.ok()?)
}

/// What one call passes.
pub(super) struct Passed {
    /// Of each parameter.
    arguments: Vec<Argument>,
}

enum Argument {
    /// A register or a constant.
    Value(Value),
    /// The bytes of a variable: what was stored last comes first.
    Stored(Vec<Stored>),
}

/// A store into a variable of the call sequence.
struct Stored {
    offset: i64,
    bytes: u32,
    /// None if the store may not be executed, or stores several values.
    value: Option<Value>,
}

impl Passed {
    /// Reads the call sequence; none if it does not fit the callee.
    pub(super) fn new(caller: &Body, call: InstId, callee: &Body) -> Option<Self> {
        let inst = caller.lowered.function.inst(call);
        let instructions = &caller.form.instructions;
        let number = instructions.binary_search_by_key(&inst.origin, |one| one.statement);
        let number = number.ok()? as u32;
        let calls = &caller.form.calls;
        let found = calls.binary_search_by_key(&number, |one| one.instruction);
        let lists = calls.get(found.ok()?)?;
        if lists.arguments.len() != callee.form.parameters.len() {
            return None;
        }
        let mut stores = stores_before(caller, call);
        let mut in_registers = inst.args.iter();
        let mut arguments = Vec::new();
        for source in &lists.arguments {
            arguments.push(match source {
                // The start of a variable is passed, wherever in it the operand points.
                Source::Address(_, 1..) | Source::Address(_, ..=-1) => return None,
                Source::Address(symbol, _) => {
                    Argument::Stored(stores.remove(symbol).unwrap_or_default())
                }
                _ => Argument::Value(*in_registers.next()?),
            });
        }
        Some(Passed { arguments })
    }

    /// The value that the call puts there, if one store or one register makes all of it.
    pub(super) fn value(&self, caller: &Body, piece: Piece) -> Option<Value> {
        let value = match self.arguments.get(piece.formal as usize)? {
            Argument::Value(value) if piece.offset == 0 => *value,
            Argument::Value(_) => return None,
            Argument::Stored(stores) => {
                let bytes = i64::from(piece.bits / 8);
                let last = stores.iter().find(|store| {
                    store.offset < piece.offset + bytes
                        && piece.offset < store.offset + i64::from(store.bytes)
                })?;
                let exact = last.offset == piece.offset && i64::from(last.bytes) == bytes;
                last.value.filter(|_| exact)?
            }
        };
        let data = caller.lowered.function.value(value);
        // A literal has no width of its own.
        let literal = matches!(data.def, ValueDef::Constant(_));
        (literal || data.width == piece.bits).then_some(value)
    }
}

/// The stores between the call before this one, or the start of the block, and this one, by variable; the last first.
fn stores_before(caller: &Body, call: InstId) -> FxHashMap<Symbol, Vec<Stored>> {
    let function = &caller.lowered.function;
    let block = function.block(function.inst(call).block);
    let mut found: FxHashMap<Symbol, Vec<Stored>> = FxHashMap::default();
    // Instructions of a block have ascending numbers.
    let end = block.insts.partition_point(|&id| id < call);
    for &id in block.insts[..end].iter().rev() {
        let inst = function.inst(id);
        let access = match &inst.opcode {
            Opcode::Call { .. } => break,
            Opcode::Store(access) if access.space == Space::ParamFunc => access,
            _ => continue,
        };
        let operand = instruction(caller, inst.origin).and_then(|one| one.operands.first());
        let Some(&Source::Address(symbol, offset)) = operand else {
            break;
        };
        let whole = inst.guard.is_none() && access.elements == 1;
        found.entry(symbol).or_default().push(Stored {
            offset: offset.wrapping_add(access.offset),
            bytes: access.bytes(),
            value: inst.args.get(1).copied().filter(|_| whole),
        });
    }
    found
}
