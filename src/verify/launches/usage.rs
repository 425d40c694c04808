//! How a kernel uses its parameters and its place in the grid, as far as the flow of values between registers shows.
//!
//! It does not look at the order of statements: a register stands for all values that it ever holds. What is found is
//! used to guess launches, so that a wrong guess costs a launch and nothing else.

use super::callees::{Callees, Pointers};
use super::field::Field;
use ptxasw_ir::op::{Comparison, Op, Product};
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::types::{Kind, Space, Special, Type};
use ptxasw_ptx::decode::form::{Action, Call, Function, Instruction, Module, Reg, Source, Symbol};
use std::collections::BTreeMap;

/// Rounds of the fixed point: values carried through so many loop headers in a row are still seen.
const ROUNDS: usize = 8;
/// Fields that are distinguished; later ones share an entry.
const MAX_FIELDS: usize = 64;

/// A set of fields, by number.
type Fields = u64;
/// A set of variables: those of the function, above those of the module.
type Variables = u64;
/// Variables of each kind that are distinguished; later ones share a bit.
const MAX_VARIABLES: u32 = 32;
/// In place of a field's number: the address of a variable.
const VARIABLE: u8 = u8::MAX;

/// What is known of a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// Scalars that are loaded from parameters, by parameter and offset.
    pub(super) fields: Vec<Field>,
    /// `%tid` of these axes is read.
    pub(super) tid: [bool; 3],
    /// `%ctaid` of these axes is read.
    pub(super) ctaid: [bool; 3],
}

/// What is known of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fact {
    /// Axes of the thread's index that it depends on, a bit each.
    axes: u8,
    /// Scalars of the parameters that it depends on.
    fields: Fields,
    /// Pointers through which it was loaded.
    loaded: Fields,
    /// Variables whose addresses it is made of.
    variables: Variables,
    /// The pointer that it is made of: a field, or [`VARIABLE`].
    base: Option<u8>,
}

impl Usage {
    /// Of a kernel; what the functions that it calls do with pointers counts.
    pub(super) fn of(module: &Module, function: &Function) -> Usage {
        Usage::with(function, &mut Callees::new(module))
    }

    /// Of a function.
    pub(super) fn with(function: &Function, callees: &mut Callees) -> Usage {
        let calls: Vec<(&Call, Pointers)> = function
            .calls
            .iter()
            .map(|call| (call, callees.pointers(function, call)))
            .collect();
        let mut flow = Flow::new(function);
        for _ in 0..ROUNDS {
            flow.changed = false;
            let mut calls = calls.iter().peekable();
            for (number, instruction) in (0..).zip(&function.instructions) {
                flow.visit(instruction);
                while let Some((call, pointers)) = calls.next_if(|(c, _)| c.instruction == number) {
                    flow.pass(call, pointers);
                }
            }
            if !flow.changed {
                break;
            }
        }
        let operands = function.instructions.iter().flat_map(|i| &i.operands);
        for source in operands {
            let (of, axis) = match source {
                Source::Special(Special::Tid(axis)) => (&mut flow.usage.tid, *axis),
                Source::Special(Special::Ctaid(axis)) => (&mut flow.usage.ctaid, *axis),
                _ => continue,
            };
            if let Some(used) = of.get_mut(usize::from(axis)) {
                *used = true;
            }
        }
        flow.usage
    }

    /// The field at an offset of a parameter.
    pub(super) fn field(&self, parameter: usize, offset: u64) -> Option<&Field> {
        let mut fields = self.fields.iter();
        fields.find(|f| f.parameter as usize == parameter && f.offset == offset)
    }

    /// Some scalar is compared with indices along this axis.
    pub(super) fn bounded(&self, axis: usize) -> bool {
        self.fields
            .iter()
            .any(|field| field.bounds >> axis & 1 != 0)
    }
}

struct Flow {
    usage: Usage,
    facts: Vec<Fact>,
    /// What is stored at the beginning of each variable, to be passed in a call.
    stored: Vec<Fact>,
    /// By variable, the pointers through which asynchronous copies read what they put there.
    copied: [Fields; 2 * MAX_VARIABLES as usize],
    changed: bool,
}

impl Flow {
    fn new(function: &Function) -> Self {
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
        let align = |parameter: u32| {
            let declared = function.parameters.get(parameter as usize);
            declared.map_or(1, |one| u64::from(one.pointee_align.max(1)))
        };
        let field = |((parameter, offset), ty)| Field {
            parameter,
            offset,
            ty,
            accessed: None,
            align: align(parameter),
            bounds: 0,
            strides: 0,
            compared: false,
            divides: false,
            subtracted: false,
            displaces: false,
            decides: false,
        };
        Flow {
            usage: Usage {
                fields: loads.into_iter().map(field).collect(),
                ..Usage::default()
            },
            facts: vec![Fact::default(); function.registers.len()],
            stored: vec![Fact::default(); function.variables.len()],
            copied: [0; 2 * MAX_VARIABLES as usize],
            changed: false,
        }
    }

    fn visit(&mut self, instruction: &Instruction) {
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
        let mut fact = match opcode {
            Opcode::Load(access) => self.load(first, access),
            Opcode::Store(access) => {
                self.access(first, access.ty, access.space);
                self.store_argument(instruction, access);
                return;
            }
            Opcode::Atomic { ty, space, .. } => self.access(first, *ty, *space),
            Opcode::Op(op) => self.operate(op, instruction),
            _ if instruction.offsets.is_some() => return self.copy(first, instruction),
            _ => self.union(instruction),
        };
        if let Some((guard, _)) = instruction.guard {
            fact.axes |= self.facts.get(guard.0 as usize).map_or(0, |g| g.axes);
        }
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
            let fields = &self.usage.fields;
            let number = fields.binary_search_by_key(&(parameter, at), |f| (f.parameter, f.offset));
            let Ok(number) = number else { continue };
            let number = number.min(MAX_FIELDS - 1);
            let fact = Fact {
                fields: 1 << number,
                base: (access.ty.bits == 64 && !access.ty.float()).then_some(number as u8),
                ..Fact::default()
            };
            self.join(*reg, fact);
        }
    }

    /// What is to be passed in a call is stored in a variable.
    fn store_argument(&mut self, instruction: &Instruction, access: &Access) {
        let (Some(Source::Address(Symbol::Local(variable), at)), Some(value)) =
            (instruction.operands.first(), instruction.operands.get(1))
        else {
            return;
        };
        let first = at.checked_add(access.offset) == Some(0);
        let fact = self.fact(Some(value));
        if let Some(stored) = self.stored.get_mut(*variable as usize).filter(|_| first) {
            *stored = fact;
        }
    }

    /// A call: the callee accesses memory through pointers.
    fn pass(&mut self, call: &Call, pointers: &Pointers) {
        for (argument, accessed) in call.arguments.iter().zip(pointers.iter()) {
            let passed = match argument {
                Source::Address(Symbol::Local(variable), 0) => {
                    self.stored.get(*variable as usize).copied()
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
        self.decides(to.loaded);
        let from = self.fact(instruction.operands.get(1));
        let read = self.access(from, Type::B32, Space::Global);
        for place in places(to.variables) {
            let copied = &mut self.copied[place];
            self.changed |= *copied | read.loaded != *copied;
            *copied |= read.loaded;
        }
    }

    /// A load; one from a variable may find what was copied there, and shows its type.
    fn load(&mut self, address: Fact, access: &Access) -> Fact {
        let ty = access.ty;
        let mut fact = self.access(address, ty, access.space);
        if access.space != Space::Shared && address.variables == 0 {
            return fact;
        }
        let copied = places(address.variables).fold(0, |all, place| all | self.copied[place]);
        self.each(copied, |field| {
            let untyped = |known: &&mut Type| known.kind == Kind::Bits;
            if let Some(known) = field.accessed.as_mut().filter(untyped) {
                *known = ty;
            }
        });
        fact.loaded |= copied;
        fact
    }

    /// Memory is accessed; gives what is known of a value that is found there.
    fn access(&mut self, address: Fact, ty: Type, space: Space) -> Fact {
        self.decides(address.loaded);
        let mut fact = Fact {
            axes: address.axes,
            loaded: address.loaded,
            ..Fact::default()
        };
        if let (Space::Global | Space::Generic | Space::Const, Some(base)) = (space, address.base) {
            if base != VARIABLE {
                fact.loaded |= 1 << base;
            }
            let fields = &mut self.usage.fields;
            if let Some(field) = fields.get_mut(usize::from(base)).filter(|f| !f.displaces) {
                let slot = field.accessed.get_or_insert(ty);
                // `.b32` shows less than `.f32`.
                if slot.kind == Kind::Bits {
                    *slot = ty;
                }
            }
        }
        fact
    }

    fn operate(&mut self, op: &Op, instruction: &Instruction) -> Fact {
        let of = |i: usize| self.fact(instruction.operands.get(i));
        let (a, b) = (of(0), of(1));
        let base = match op {
            Op::Add { width: 64 } => self.sum(a.base, b.base),
            Op::Select { .. } => a.base.or(b.base),
            Op::MulAdd {
                product: Product::Low | Product::Wide,
                ..
            } => of(2).base,
            Op::Copy { width: 64 }
            | Op::Sub { width: 64 }
            | Op::And { width: 64 }
            | Op::ToGeneric { .. }
            | Op::FromGeneric { .. } => a.base,
            _ => None,
        };
        match op {
            Op::Compare { comparison, .. } | Op::Set { comparison, .. }
                if is_equality(*comparison) && (a.axes, b.axes) != (0, 0) =>
            {
                self.decides(a.loaded | b.loaded);
            }
            Op::Compare { .. } | Op::Set { .. } | Op::Min { .. } | Op::Max { .. } => {
                self.compare(a, b);
                self.compare(b, a);
            }
            Op::Sub { .. } if (a.axes, b.axes) == (0, 0) && a.fields != 0 => {
                self.each(b.fields & !a.fields, |field| field.subtracted = true);
            }
            Op::Mul { .. } | Op::MulAdd { .. } | Op::Mul24 { .. } => {
                self.multiply(a, b);
                self.multiply(b, a);
            }
            Op::Div { .. } | Op::Rem { .. } if a.axes != 0 && b.axes == 0 => {
                self.each(b.fields, |field| field.divides = true);
            }
            _ => {}
        }
        Fact {
            base,
            ..self.union(instruction)
        }
    }

    /// What the sum of two addresses is made of.
    fn sum(&mut self, a: Option<u8>, b: Option<u8>) -> Option<u8> {
        let (Some(one), Some(other)) = (a, b) else {
            return a.or(b);
        };
        if one != VARIABLE && other != VARIABLE {
            return a;
        }
        for base in [one, other] {
            if let Some(field) = self.usage.fields.get_mut(usize::from(base)) {
                field.displaces = true;
            }
        }
        Some(VARIABLE)
    }

    /// `bound` is compared with `index`.
    fn compare(&mut self, index: Fact, bound: Fact) {
        self.decides(index.loaded);
        if bound.axes != 0 || bound.base == Some(VARIABLE) {
            return;
        }
        match index.axes {
            0 => self.each(bound.fields, |field| field.compared = true),
            axes => self.each(bound.fields, |field| field.bounds |= axes),
        }
    }

    fn multiply(&mut self, index: Fact, factor: Fact) {
        if factor.axes == 0 {
            self.each(factor.fields, |field| field.strides |= index.axes);
        }
    }

    fn decides(&mut self, loaded: Fields) {
        self.each(loaded, |field| field.decides = true);
    }

    fn each(&mut self, mut fields: Fields, change: impl Fn(&mut Field)) {
        while fields != 0 {
            if let Some(field) = self.usage.fields.get_mut(fields.trailing_zeros() as usize) {
                change(field);
            }
            fields &= fields - 1;
        }
    }

    /// All that the operands depend on.
    fn union(&self, instruction: &Instruction) -> Fact {
        let facts = instruction.operands.iter().map(|s| self.fact(Some(s)));
        facts.fold(Fact::default(), |all, fact| Fact {
            axes: all.axes | fact.axes,
            fields: all.fields | fact.fields,
            loaded: all.loaded | fact.loaded,
            variables: all.variables | fact.variables,
            base: None,
        })
    }

    fn fact(&self, source: Option<&Source>) -> Fact {
        let axes = |axes| Fact {
            axes,
            ..Fact::default()
        };
        match source {
            Some(
                Source::Reg(reg)
                | Source::NotReg(reg)
                | Source::Part { reg, .. }
                | Source::Sum(reg, _),
            ) => self.facts.get(reg.0 as usize).copied().unwrap_or_default(),
            Some(Source::Special(Special::Tid(axis) | Special::Ctaid(axis))) if *axis < 3 => {
                axes(1 << axis)
            }
            Some(Source::Address(Symbol::Global(number), _)) => variable(*number, 0),
            Some(Source::Address(Symbol::Local(number), _)) => variable(*number, MAX_VARIABLES),
            Some(Source::Special(Special::LaneId | Special::WarpId)) => axes(1),
            _ => Fact::default(),
        }
    }

    fn join(&mut self, reg: Reg, fact: Fact) {
        let Some(known) = self.facts.get_mut(reg.0 as usize) else {
            return;
        };
        let both = Fact {
            axes: known.axes | fact.axes,
            fields: known.fields | fact.fields,
            loaded: known.loaded | fact.loaded,
            variables: known.variables | fact.variables,
            base: known.base.or(fact.base),
        };
        self.changed |= both != *known;
        *known = both;
    }
}

/// The address of a variable; `first` is the place of its kind in [`Variables`].
fn variable(number: u32, first: u32) -> Fact {
    Fact {
        base: Some(VARIABLE),
        variables: 1 << (first + number.min(MAX_VARIABLES - 1)),
        ..Fact::default()
    }
}

/// Variables of a set; all, where it is not known which.
fn places(variables: Variables) -> impl Iterator<Item = usize> {
    let any = variables == 0;
    (0..2 * MAX_VARIABLES as usize).filter(move |place| any || variables >> place & 1 != 0)
}

/// It distinguishes numbers, and bounds nothing.
fn is_equality(comparison: Comparison) -> bool {
    use Comparison::{Eq, EqU, Ne, NeU};
    matches!(comparison, Eq | Ne | EqU | NeU)
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
