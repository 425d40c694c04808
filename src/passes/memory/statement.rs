//! A load statement computed anew from values that are there already.

use super::accesses::{AccessId, Accesses, Element};
use crate::Session;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Function, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Cursor, Positions, Readable, Ref};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes in a register: the lower bits of a value, or those from some byte on.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// What a step reads.
    pub value: Ref,
    /// Bits of the value.
    pub width: u8,
    /// Where the bytes begin, in bytes.
    pub skip: u8,
}

/// Statements of a function, and what becomes of the values of those that go.
pub struct Statements<'s> {
    session: &'s Session<'s>,
    function: &'s Function,
    positions: Positions<'s>,
    /// Values that another statement, or the end of a block, reads.
    leaves: Vec<bool>,
    /// What replaces the values of statements that go.
    pub new: FxHashMap<Value, Ref>,
    /// All values of statements that go.
    pub gone: FxHashSet<Value>,
}

impl<'s> Statements<'s> {
    /// Of a function; nothing goes yet.
    pub fn new(session: &'s Session<'s>) -> Self {
        let function = session.function;
        Statements {
            session,
            function,
            positions: Positions::new(function),
            leaves: leaving(function),
            new: FxHashMap::default(),
            gone: FxHashSet::default(),
        }
    }

    /// The instructions of a statement.
    pub fn of(&self, id: InstId) -> &'s [InstId] {
        self.positions.statement(id).unwrap_or_default()
    }

    /// The index of an instruction in its block.
    pub fn index(&self, id: InstId) -> usize {
        self.positions.index(id)
    }

    /// How a step reads a value; none if nothing holds it.
    pub fn read(&self, value: Value) -> Option<Ref> {
        if let Some(&new) = self.new.get(&value) {
            return Some(new);
        }
        if self.gone.contains(&value) {
            return None;
        }
        let there = match self.session.text.readable(value) {
            Readable::Directly => true,
            // What other statements read is in a register after the value's own.
            Readable::ByCopy if self.leaves[value.index()] => true,
            // A copy is computed anew, from operands that must not be gone.
            Readable::ByCopy => match self.function.value(value).def {
                ValueDef::Result(id, _) => {
                    let args = &self.function.inst(id).args;
                    !args.iter().any(|arg| self.gone.contains(arg))
                }
                _ => true,
            },
            Readable::No => false,
        };
        there.then_some(Ref::Value(value))
    }

    /// Whether the text gives a value a name.
    fn is_defined(&self, value: Value) -> bool {
        self.session.text.readable(value) != Readable::No
    }

    /// The register that has an element of an access once the access is executed.
    pub fn held(&self, accesses: &Accesses, element: Element) -> Option<Held> {
        let access = accesses.get(element.access);
        let inst = self.function.inst(access.inst);
        let number = usize::from(element.number);
        let held = |value: Value| {
            let width = self.function.value(value).width;
            let usable = matches!(width, 8 | 16 | 32 | 64);
            let value = usable.then(|| self.read(value))??;
            Some(Held {
                value,
                width,
                skip: element.skip,
            })
        };
        if access.is_store {
            return held(self.stored(access.inst, *inst.args.get(number + 1)?)?);
        }
        let loaded = *inst.results.get(number)?;
        held(loaded).or_else(|| {
            // What completes it in its statement has the same lower bits: an extension, or the select of its guard.
            let mut last = loaded;
            for &id in self.of(access.inst) {
                let inst = self.function.inst(id);
                let completes = match inst.opcode {
                    Opcode::Op(Op::Extend { from, to, .. }) => to >= from,
                    Opcode::Op(Op::Select { .. }) => {
                        inst.args.get(2) == access.guard.as_ref().map(|guard| &guard.0)
                    }
                    _ => false,
                };
                if completes && inst.args.contains(&last) {
                    last = *inst.results.first()?;
                }
            }
            (last != loaded).then(|| held(last))?
        })
    }

    /// What is there in front of a store whose lower bits it writes: the store itself, with what cuts the value, may go.
    fn stored(&self, store: InstId, value: Value) -> Option<Value> {
        let ValueDef::Result(id, _) = self.function.value(value).def else {
            return Some(value);
        };
        if !self.of(store).contains(&id) {
            return Some(value);
        }
        let inst = self.function.inst(id);
        match inst.opcode {
            Opcode::Op(Op::Extend { from, to, .. }) if to <= from => inst.args.first().copied(),
            _ => None,
        }
    }

    /// Whether a statement does nothing but one load, and operations on what it loads.
    pub fn is_plain_load(&self, id: InstId) -> bool {
        let others = self.of(id).iter().filter(|&&one| one != id);
        let mut others = others.map(|&one| &self.function.inst(one).opcode);
        others.all(|opcode| matches!(opcode, Opcode::Op(_)))
    }

    /// Whether a statement does nothing but one store, and operations whose results are not read elsewhere.
    pub fn is_plain_store(&self, id: InstId) -> bool {
        self.is_plain_load(id)
            && self.of(id).iter().all(|&one| {
                let mut results = self.function.inst(one).results.iter();
                results.all(|result| !self.leaves[result.index()])
            })
    }

    /// Writes what a load statement gives, from what holds its elements. The result: the values that leave the statement, with what is
    /// read in their place; none if one of its operands is in no register.
    pub fn rebuild(
        &self,
        access: AccessId,
        accesses: &Accesses,
        elements: &[Held],
        cursor: &mut Cursor,
    ) -> Option<Vec<(Value, Ref)>> {
        let access = accesses.get(access);
        let bits = access.access.ty.bits;
        let mut map: FxHashMap<Value, Ref> = FxHashMap::default();
        for (&result, held) in self.function.inst(access.inst).results.iter().zip(elements) {
            let width = self.function.value(result).width;
            let signed = access.access.ty.signed();
            let low = cut(held, bits, cursor);
            let full = match width == bits {
                true => low,
                false => cursor.single(
                    Op::Extend {
                        from: bits,
                        to: width,
                        signed,
                    },
                    &[low],
                ),
            };
            map.insert(result, full);
        }
        let statement = self.of(access.inst);
        let after = statement
            .iter()
            .skip_while(|&&id| id != access.inst)
            .skip(1);
        for &id in after {
            let inst = self.function.inst(id);
            let op = match inst.opcode {
                Opcode::Op(Op::Extend { from, to, .. }) if active(Mutation::SignOfLoadLost) => {
                    let signed = false;
                    Op::Extend { from, to, signed }
                }
                Opcode::Op(op) => op,
                _ => return None,
            };
            if !inst.args.iter().any(|arg| map.contains_key(arg)) {
                continue;
            }
            let mut args = Vec::with_capacity(inst.args.len());
            for arg in &inst.args {
                args.push(match map.get(arg) {
                    Some(&new) => new,
                    None => self.read(*arg)?,
                });
            }
            let results = cursor.op(op, &args);
            map.extend(
                inst.results
                    .iter()
                    .copied()
                    .zip(results.into_iter().map(Ref::New)),
            );
        }
        let own = statement
            .iter()
            .flat_map(|&id| &self.function.inst(id).results);
        let inside = |value: &Value| {
            let mut all = statement.iter().map(|&id| self.function.inst(id));
            all.any(|inst| inst.args.contains(value))
        };
        let mut new = Vec::new();
        for &value in own {
            match (self.leaves[value.index()], map.get(&value)) {
                (true, found) => new.push((value, *found?)),
                // What is not modelled may read it, too: its operands are not part of the function. Nobody reads what is dropped (`_`).
                (false, Some(&found)) if !inside(&value) && self.is_defined(value) => {
                    new.push((value, found));
                }
                _ => {}
            }
        }
        Some(new)
    }
}

/// The lower `bits` of the bytes that a register holds.
pub fn cut(held: &Held, bits: u8, cursor: &mut Cursor) -> Ref {
    let width = held.width;
    let shifted = match held.skip {
        0 => held.value,
        skip => {
            let amount = Ref::Constant(32, u64::from(skip) * 8);
            cursor.single(
                Op::Shr {
                    width,
                    signed: false,
                },
                &[held.value, amount],
            )
        }
    };
    match width == bits {
        true => shifted,
        false => cursor.single(
            Op::Extend {
                from: width,
                to: bits,
                signed: false,
            },
            &[shifted],
        ),
    }
}

/// Values that an instruction of another statement reads, or the end of a block.
fn leaving(function: &Function) -> Vec<bool> {
    let mut leaves = vec![false; function.values.len()];
    for block in &function.blocks {
        for &id in &block.insts {
            let inst = function.inst(id);
            let guard = inst.guard.map(|(guard, _)| guard);
            for value in inst.args.iter().copied().chain(guard) {
                let own = match function.value(value).def {
                    ValueDef::Result(by, _) => {
                        let by = function.inst(by);
                        by.origin == inst.origin && by.block == inst.block
                    }
                    _ => false,
                };
                leaves[value.index()] |= !own;
            }
        }
        let edges = block.terminator.targets().into_iter();
        let args = edges.flat_map(|target| target.args.iter().copied());
        for value in args.chain(block.terminator.decision()) {
            leaves[value.index()] = true;
        }
    }
    leaves
}
