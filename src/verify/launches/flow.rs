//! The flow of values between the registers of a function, its variables, and the memory that its parameters lead to.

use super::callees::Pointers;
use super::facts::{Fact, Fields, Known, MAX_VARIABLES, VARIABLE, places, variable};
use super::field::{Field, Holder};
use super::usage::Usage;
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::types::{Kind, Space, Special, Type};
use ptxasw_ptx::decode::form::{Action, Call, Function, Instruction, Reg, Source, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Fields that are distinguished; later ones share the last.
const MAX_FIELDS: usize = 128;
/// Pointers in a row that are followed.
const MAX_DEPTH: usize = 3;
/// Bytes of a structure in memory.
const MAX_STRUCTURE: i64 = 1 << 12;
/// Places of variables on the stack that are distinguished.
const MAX_SLOTS: usize = 1 << 12;

/// The state of the fixed point.
pub(super) struct Flow {
    pub(super) usage: Usage,
    /// By where they lie.
    numbers: FxHashMap<(Holder, u64), usize>,
    facts: Vec<Fact>,
    /// Values stored to variables at constant offsets: arguments of calls, spilled registers, broadcasts through shared memory.
    slots: FxHashMap<(u64, i64), Fact>,
    /// By variable, the pointers through which asynchronous copies read what they put there.
    copied: [Fields; 2 * MAX_VARIABLES as usize],
    /// By field, a distance from a place that depends on the thread at which something is loaded.
    distances: FxHashMap<u8, i64>,
    changed: bool,
}

impl Flow {
    pub(super) fn new(function: &Function) -> Self {
        let mut loads = BTreeMap::new();
        for instruction in &function.instructions {
            let Some((access, parameter, offset)) = parameter_load(instruction) else {
                continue;
            };
            for i in 0..u64::from(access.elements) {
                let at = offset + i * u64::from(access.ty.bits / 8);
                loads.entry((parameter, at)).or_insert(access.ty);
            }
        }
        let mut flow = Flow {
            usage: Usage::default(),
            numbers: FxHashMap::default(),
            facts: vec![Fact::default(); function.registers.len()],
            slots: FxHashMap::default(),
            copied: [0; 2 * MAX_VARIABLES as usize],
            distances: FxHashMap::default(),
            changed: false,
        };
        for ((parameter, offset), ty) in loads {
            let declared = function.parameters.get(parameter as usize);
            let align = declared.map_or(1, |one| u64::from(one.pointee_align.max(1)));
            let holder = Holder::Parameter(parameter);
            let number = flow.usage.fields.len();
            flow.numbers.insert((holder, offset), number);
            flow.usage.fields.push(Field {
                align,
                ..Field::new(holder, offset, ty)
            });
        }
        flow
    }

    /// Whether anything was learned since the last call.
    pub(super) fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    pub(super) fn visit(&mut self, instruction: &Instruction) {
        let opcode = match &instruction.action {
            Action::Do(opcode) => opcode,
            Action::BranchIndexed { .. } => {
                let index = self.fact(instruction.operands.first());
                return self.decides(index.loaded);
            }
            _ => return,
        };
        if let Some((access, parameter, offset)) = parameter_load(instruction) {
            return self.load_parameter(instruction, access, parameter, offset);
        }
        let first = self.fact(instruction.operands.first());
        let guard = instruction.guard.map_or(0, |(guard, _)| {
            self.facts.get(guard.0 as usize).map_or(0, |g| g.axes)
        });
        let fact = match opcode {
            Opcode::Load(access) => {
                let from = displaced(first, access.offset);
                for (i, reg) in (0..).zip(&instruction.results) {
                    let mut fact = self.load(from, access, i);
                    fact.axes |= guard;
                    reg.iter().for_each(|reg| self.join(*reg, fact));
                }
                return;
            }
            Opcode::Store(access) => {
                let to = displaced(first, access.offset);
                self.access(to, access.ty, access.space);
                for (i, value) in (0..).zip(instruction.operands.iter().skip(1)) {
                    let at = displaced(to, i * i64::from(access.ty.bits / 8));
                    self.keep(at, self.fact(Some(value)));
                }
                return;
            }
            Opcode::Atomic { ty, space, .. } => self.access(first, *ty, *space),
            Opcode::Op(op) => self.operate(op, instruction),
            _ if instruction.offsets.is_some() => return self.copy(first, instruction),
            _ => self.mixed(instruction),
        };
        let fact = Fact {
            axes: fact.axes | guard,
            ..fact
        };
        for reg in instruction.results.iter().flatten() {
            self.join(*reg, fact);
        }
    }

    fn load_parameter(
        &mut self,
        instruction: &Instruction,
        access: &Access,
        parameter: u32,
        offset: u64,
    ) {
        for (i, reg) in (0u64..).zip(&instruction.results) {
            let Some(reg) = reg else { continue };
            let at = offset + i * u64::from(access.ty.bits / 8);
            if let Some(&number) = self.numbers.get(&(Holder::Parameter(parameter), at)) {
                let fact = of_field(number.min(MAX_FIELDS - 1), access.ty);
                self.join(*reg, fact);
            }
        }
    }

    /// A value is stored in a variable of the function, perhaps to be passed in a call.
    fn keep(&mut self, at: Fact, value: Fact) {
        let Some(slot) = slot(at) else { return };
        if self.slots.len() >= MAX_SLOTS && !self.slots.contains_key(&slot) {
            return;
        }
        let known = self.slots.entry(slot).or_default();
        let joined = known.join(value);
        self.changed |= joined != *known;
        *known = joined;
    }

    /// A call: the callee accesses memory through pointers.
    pub(super) fn pass(&mut self, call: &Call, pointers: &Pointers) {
        for (argument, accessed) in call.arguments.iter().zip(pointers.iter()) {
            let passed = match argument {
                Source::Address(Symbol::Local(_), 0) => {
                    let place = slot(self.fact(Some(argument)));
                    place.and_then(|place| self.slots.get(&place).copied())
                }
                register => Some(self.fact(Some(register))),
            };
            if let (Some(fact), Some(ty)) = (passed, *accessed) {
                self.access(fact, ty, Space::Generic);
            }
        }
    }

    /// An asynchronous copy: operand 0 is where to, operand 1 where from. Its size shows nothing about the elements.
    fn copy(&mut self, to: Fact, instruction: &Instruction) {
        self.indexes(to.loaded);
        let from = self.fact(instruction.operands.get(1));
        let read = self.access(from, Type::B32, Space::Global);
        for place in places(to.variables) {
            let copied = &mut self.copied[place];
            self.changed |= *copied | read.loaded != *copied;
            *copied |= read.loaded;
        }
    }

    /// The element of this number of a load; one from a variable may find what was copied there, and shows its type.
    fn load(&mut self, address: Fact, access: &Access, number: i64) -> Fact {
        let ty = access.ty;
        let at = displaced(address, number * i64::from(ty.bits / 8));
        let mut fact = self.access(at, ty, access.space);
        if let Some(kept) = slot(at).and_then(|slot| self.slots.get(&slot)) {
            return *kept;
        }
        if let Some(field) = self.behind(at, access) {
            let loaded = match at.offset {
                Known::Several => fact.loaded,
                _ => 0,
            };
            return Fact {
                loaded,
                axes: fact.axes,
                ..of_field(field, ty)
            };
        }
        self.measure(address, access);
        if access.space != Space::Shared && at.variables == 0 {
            return fact;
        }
        let copied = places(at.variables).fold(0, |all, place| all | self.copied[place]);
        self.each(copied, |field| {
            let untyped = |known: &&mut Type| known.kind == Kind::Bits;
            if let Some(known) = field.accessed.as_mut().filter(untyped) {
                *known = ty;
            }
        });
        fact.loaded |= copied;
        fact
    }

    /// The field that is loaded from memory, if it lies at a fixed place, or is a pointer perhaps.
    fn behind(&mut self, at: Fact, access: &Access) -> Option<usize> {
        let base = at.base.filter(|&base| base != VARIABLE)?;
        let word = access.ty.bits == 64 && !access.ty.float();
        let global = matches!(access.space, Space::Global | Space::Generic);
        if !global || self.depth(base) >= MAX_DEPTH {
            return None;
        }
        let (holder, offset) = match at.offset {
            Known::One(offset) if at.axes == 0 && (0..MAX_STRUCTURE).contains(&offset) => {
                (Holder::Behind(base), offset as u64)
            }
            Known::Several if word => (Holder::Among(base), 0),
            _ => return None,
        };
        if let Some(&number) = self.numbers.get(&(holder, offset)) {
            return Some(number);
        }
        self.add(holder, offset, access.ty)
    }

    fn add(&mut self, holder: Holder, offset: u64, ty: Type) -> Option<usize> {
        let number = self.usage.fields.len();
        if number >= MAX_FIELDS {
            return None;
        }
        self.changed = true;
        self.numbers.insert((holder, offset), number);
        self.usage.fields.push(Field::new(holder, offset, ty));
        Some(number)
    }

    /// Pointers that lead to this one.
    fn depth(&self, field: u8) -> usize {
        let mut depth = 0;
        let mut at = usize::from(field);
        while let Some(Holder::Behind(by) | Holder::Among(by)) =
            self.usage.fields.get(at).map(|field| field.holder)
        {
            (depth, at) = (depth + 1, usize::from(by));
        }
        depth
    }

    /// Takes note of how far apart loads from one place are.
    fn measure(&mut self, address: Fact, access: &Access) {
        let Some(base) = address.base.filter(|&base| base != VARIABLE) else {
            return;
        };
        let first = *self.distances.entry(base).or_insert(access.offset);
        if let Some(field) = self.usage.fields.get_mut(usize::from(base)) {
            field.neighbours |= first != access.offset;
        }
    }

    /// Memory is accessed; gives what is known of a value that is found there.
    fn access(&mut self, address: Fact, ty: Type, space: Space) -> Fact {
        // A pointer out of an array of pointers is no index.
        let holder = address
            .base
            .and_then(|base| self.usage.fields.get(usize::from(base)));
        let array = match holder.map(|field| field.holder) {
            Some(Holder::Among(array)) => bit(array),
            _ => 0,
        };
        self.indexes(address.loaded & !array);
        let mut fact = Fact {
            axes: address.axes,
            loaded: address.loaded,
            ..Fact::unknown()
        };
        if let (Space::Global | Space::Generic | Space::Const, Some(base)) = (space, address.base) {
            if base != VARIABLE {
                fact.loaded |= bit(base);
            }
            let fields = &mut self.usage.fields;
            let field = fields.get_mut(usize::from(base));
            if let Some(field) = field.filter(|f| base != VARIABLE && !f.displaces) {
                field.spreads |= address.axes != 0 || address.offset == Known::Several;
                let slot = field.accessed.get_or_insert(ty);
                // `.b32` shows less than `.f32`.
                if slot.kind == Kind::Bits {
                    *slot = ty;
                }
            }
        }
        fact
    }

    pub(super) fn decides(&mut self, loaded: Fields) {
        self.each(loaded, |field| field.decides = true);
    }

    pub(super) fn indexes(&mut self, loaded: Fields) {
        self.each(loaded, |field| field.indexes = true);
    }

    pub(super) fn each(&mut self, mut fields: Fields, change: impl Fn(&mut Field)) {
        while fields != 0 {
            if let Some(field) = self.usage.fields.get_mut(fields.trailing_zeros() as usize) {
                change(field);
            }
            fields &= fields - 1;
        }
    }

    /// All that the operands depend on.
    pub(super) fn mixed(&self, instruction: &Instruction) -> Fact {
        let facts = instruction.operands.iter().map(|s| self.fact(Some(s)));
        facts.fold(Fact::unknown(), Fact::mix)
    }

    pub(super) fn fact(&self, source: Option<&Source>) -> Fact {
        let axes = |axes| Fact {
            axes,
            ..Fact::unknown()
        };
        let of = |reg: &Reg| self.facts.get(reg.0 as usize).copied().unwrap_or_default();
        match source {
            Some(Source::Reg(reg)) => of(reg),
            Some(Source::Sum(reg, bytes)) => displaced(of(reg), *bytes),
            Some(Source::NotReg(reg) | Source::Part { reg, .. }) => Fact::unknown().mix(of(reg)),
            Some(Source::Imm(bits)) => Fact {
                constant: Known::One(*bits),
                ..Fact::unknown()
            },
            Some(Source::Special(Special::Tid(axis))) if *axis < 3 => Fact {
                thread: Known::One(*axis),
                ..axes(1 << axis)
            },
            Some(Source::Special(Special::Ctaid(axis))) if *axis < 3 => axes(1 << axis),
            Some(Source::Address(Symbol::Global(number), at)) => variable(*number, 0, *at),
            Some(Source::Address(Symbol::Local(number), at)) => {
                variable(*number, MAX_VARIABLES, *at)
            }
            Some(Source::Special(Special::LaneId | Special::WarpId)) => axes(1),
            _ => Fact::unknown(),
        }
    }

    fn join(&mut self, reg: Reg, fact: Fact) {
        let Some(known) = self.facts.get_mut(reg.0 as usize) else {
            return;
        };
        let both = known.join(fact);
        self.changed |= both != *known;
        *known = both;
    }
}

/// What a field holds.
fn of_field(number: usize, ty: Type) -> Fact {
    Fact {
        fields: 1 << number,
        base: (ty.bits == 64 && !ty.float()).then_some(number as u8),
        offset: Known::One(0),
        ..Fact::unknown()
    }
}

/// An address so many bytes further on.
fn displaced(address: Fact, bytes: i64) -> Fact {
    Fact {
        offset: address.offset.and_then(|offset| offset.checked_add(bytes)),
        thread: Known::Several,
        constant: Known::Several,
        ..address
    }
}

/// The place of a variable, where it is known and the same for all threads.
fn slot(at: Fact) -> Option<(u64, i64)> {
    let own = at.base == Some(VARIABLE) && at.variables != 0 && at.axes == 0;
    own.then_some((at.variables, at.offset.one()?))
}

pub(super) fn bit(field: u8) -> Fields {
    1u128.checked_shl(u32::from(field)).unwrap_or(0)
}

/// A load from a fixed place in the parameters: the access, the parameter, the offset.
fn parameter_load(instruction: &Instruction) -> Option<(&Access, u32, u64)> {
    let Action::Do(Opcode::Load(access)) = &instruction.action else {
        return None;
    };
    match instruction.operands.first()? {
        Source::Address(Symbol::Parameter(parameter), offset) => {
            let offset = u64::try_from(offset.checked_add(access.offset)?).ok()?;
            Some((access, *parameter, offset))
        }
        _ => None,
    }
}
