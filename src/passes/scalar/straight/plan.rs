//! What replaces what, and what dies by it.

use super::cost;
use super::is_carry;
use super::uses::Uses;
use crate::Session;
use ptxasw_ir::function::{Function, InstId, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::Positions;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Statements that are looked at for what dies with one.
const MAX_DYING: u32 = 16;

/// How a value is computed instead.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// It is an earlier value.
    Same(Value),
    /// It is a constant.
    Constant(u64),
    /// An earlier value, plus another (or with `true` minus that), plus a constant.
    Sum {
        base: Value,
        plus: Option<(Value, bool)>,
        constant: u64,
    },
    /// A multiple of an earlier value.
    Multiple { of: Value, factor: u64 },
}

impl Form {
    /// What it reads.
    pub fn reads(self) -> SmallVec<[Value; 2]> {
        match self {
            Form::Constant(_) => SmallVec::new(),
            Form::Same(value) | Form::Multiple { of: value, .. } => SmallVec::from_slice(&[value]),
            Form::Sum { base, plus, .. } => {
                let plus = plus.map(|(value, _)| value);
                std::iter::once(base).chain(plus).collect()
            }
        }
    }

    /// What computing it costs.
    fn cost(self, width: u8) -> u32 {
        match self {
            Form::Same(_) | Form::Constant(_) => 0,
            Form::Sum { plus, constant, .. } => {
                let terms = u32::from(plus.is_some()) + u32::from(constant != 0);
                terms * cost::addition(width)
            }
            Form::Multiple { factor, .. } => cost::multiple(width, factor),
        }
    }
}

/// A multiple that the plan adds: after which statement, and of how many bits.
pub(super) struct Added {
    pub value: Value,
    pub after: InstId,
    pub width: u8,
}

/// The decisions so far.
pub(super) struct Plan<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) uses: Uses,
    pub(super) forms: FxHashMap<Value, Form>,
    pub(super) added: Vec<Added>,
    positions: Positions<'a>,
}

impl<'a> Plan<'a> {
    /// Nothing is replaced yet.
    pub fn new(session: &'a Session<'a>) -> Self {
        Plan {
            session,
            uses: Uses::new(session),
            forms: FxHashMap::default(),
            added: Vec::new(),
            positions: Positions::new(session.function),
        }
    }

    fn function(&self) -> &'a Function {
        self.session.function
    }

    /// Whether a value has another form.
    pub fn is_replaced(&self, value: Value) -> bool {
        self.forms.contains_key(&value)
    }

    /// Whether anything reads a value.
    pub fn is_read(&self, value: Value) -> bool {
        self.uses.of(value) > 0
    }

    /// Whether the original reads a value in a loop.
    pub fn is_read_in(&self, value: Value, around: LoopId) -> bool {
        let loops = &self.session.analyses().loops;
        self.uses.is_read_in(value, around, loops)
    }

    /// Replaces a statement. What nothing reads afterwards is dead.
    pub fn replace(&mut self, id: InstId, forms: &[(Value, Form)]) {
        for &(value, form) in forms {
            for read in form.reads() {
                *self.uses.of_mut(read) += 1;
            }
            self.forms.insert(value, form);
        }
        let mut work: Vec<Value> = self.function().inst(id).args.to_vec();
        while let Some(value) = work.pop() {
            let readers = self.uses.of_mut(value);
            *readers -= 1;
            if *readers > 0 {
                continue;
            }
            match self.forms.get(&value) {
                Some(form) => work.extend(form.reads()),
                None => {
                    if let Some(id) = self.dies(value) {
                        work.extend(&self.function().inst(id).args);
                    }
                }
            }
        }
    }

    /// Adds a multiple of a value after a statement.
    pub fn add_multiple(&mut self, after: InstId, width: u8, of: Value, factor: u64) -> Value {
        let value = self.uses.add();
        *self.uses.of_mut(of) += 1;
        self.forms.insert(value, Form::Multiple { of, factor });
        self.added.push(Added {
            value,
            after,
            width,
        });
        value
    }

    /// The statement of a value that nothing reads, if it goes with it: a pure operation by itself, of which nothing else is
    /// read.
    pub(super) fn dies(&self, value: Value) -> Option<InstId> {
        let Some(ValueDef::Result(id, _)) = self.definition(value) else {
            return None;
        };
        let unread = |&one: &Value| one == value || !self.is_read(one);
        let results = &self.function().inst(*id).results;
        (self.may_go(*id) && results.iter().all(unread)).then_some(*id)
    }

    /// Whether a statement may be taken out.
    pub(super) fn may_go(&self, id: InstId) -> bool {
        let inst = self.function().inst(id);
        let pure = matches!(inst.opcode, Opcode::Op(_)) && !is_carry(&inst.opcode);
        let alone = self.positions.statement(id).is_ok_and(|all| all.len() == 1);
        pure && alone && inst.guard.is_none()
    }

    fn definition(&self, value: Value) -> Option<&'a ValueDef> {
        let data = self.function().values.get(value.index());
        data.map(|data| &data.def)
    }

    /// What goes with a statement that is replaced by what reads these values.
    pub fn saved(&mut self, id: InstId, kept: &[Value]) -> u32 {
        for &value in kept {
            *self.uses.of_mut(value) += 1;
        }
        let mut left = MAX_DYING;
        let saved = self.cost_of(id, &mut left);
        for &value in kept {
            *self.uses.of_mut(value) -= 1;
        }
        saved
    }

    /// The cost of a statement and of those that only it reads.
    fn cost_of(&self, id: InstId, left: &mut u32) -> u32 {
        let inst = self.function().inst(id);
        let Opcode::Op(op) = &inst.opcode else {
            return 0;
        };
        let Some(rest) = left.checked_sub(1) else {
            return 0;
        };
        *left = rest;
        let (mut below, mut fused) = (0, false);
        for (at, &arg) in inst.args.iter().enumerate() {
            let reads = inst.args.iter().filter(|&&other| other == arg).count();
            if inst.args[..at].contains(&arg) || self.uses.of(arg) as usize != reads {
                continue;
            }
            if let Some(&form) = self.forms.get(&arg) {
                below += form.cost(self.width(arg));
            } else if let Some(arg) = self.dies(arg) {
                below += self.cost_of(arg, left);
                let operand = &self.function().inst(arg).opcode;
                fused |= matches!(operand, Opcode::Op(operand) if cost::is_fused(op, operand));
            }
        }
        match fused {
            true => below,
            false => below + cost::operation(op),
        }
    }

    /// Bits of a value.
    pub(super) fn width(&self, value: Value) -> u8 {
        let values = &self.function().values;
        match value.index().checked_sub(values.len()) {
            None => values[value.index()].width,
            Some(added) => self.added.get(added).map_or(0, |one| one.width),
        }
    }
}
