//! The plan as a patch.

use super::plan::{Added, Form, Plan};
use crate::{Fate, Remark, Rewrite};
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::op::{Op, Product};
use ptxasw_ir::patch::{Cursor, Patch, Point, Redirect, Ref, Removal};
use rustc_hash::{FxHashMap, FxHashSet};

/// A patch in the making.
struct Emitter<'p, 'a> {
    plan: &'p Plan<'a>,
    rewrite: Rewrite,
    next: u32,
    /// What steps read in place of values.
    new: FxHashMap<Value, Ref>,
    /// The multiples that are computed after statements.
    added: FxHashMap<InstId, Vec<&'p Added>>,
    /// What instructions read that stay.
    read: FxHashSet<Value>,
}

impl Plan<'_> {
    /// The patch, with blocks in an order in which each comes after its dominators.
    pub fn emit(&self, order: &[BlockId]) -> Rewrite {
        if self.forms.is_empty() {
            return Rewrite::default();
        }
        let mut added: FxHashMap<InstId, Vec<&Added>> = FxHashMap::default();
        for one in self.added.iter().filter(|one| self.is_read(one.value)) {
            added.entry(one.after).or_default().push(one);
        }
        let mut emitter = Emitter {
            plan: self,
            rewrite: Rewrite::default(),
            next: 0,
            new: FxHashMap::default(),
            added,
            read: FxHashSet::default(),
        };
        emitter.note_read();
        let function = self.session.function;
        let insts = order.iter().flat_map(|&block| &function.block(block).insts);
        insts.for_each(|&id| emitter.inst(id));
        emitter.rewrite
    }

    /// Whether a statement has another form.
    fn has_form(&self, id: InstId) -> bool {
        let mut results = self.session.function.inst(id).results.iter();
        results.any(|result| self.is_replaced(*result))
    }

    /// Whether a statement is dead by the plan.
    fn is_dead(&self, id: InstId) -> bool {
        let results = &self.session.function.inst(id).results;
        self.may_go(id)
            && results.iter().all(|&result| !self.is_read(result))
            && results.iter().any(|&result| self.uses.lost(result))
    }
}

impl Emitter<'_, '_> {
    fn note_read(&mut self) {
        let function = self.plan.session.function;
        for block in &function.blocks {
            for &id in &block.insts {
                if !self.plan.has_form(id) && !self.plan.is_dead(id) {
                    let inst = function.inst(id);
                    let guard = inst.guard.iter().map(|guard| guard.0);
                    self.read.extend(inst.args.iter().copied().chain(guard));
                }
            }
            let edges = block.terminator.targets().into_iter();
            let passed = edges.flat_map(|target| target.args.iter().copied());
            self.read.extend(passed.chain(block.terminator.decision()));
            self.read.extend(&block.assumed);
        }
    }

    fn inst(&mut self, id: InstId) {
        let clone = None;
        if !self.plan.has_form(id) {
            if self.plan.is_dead(id) {
                self.rewrite.patch.remove.push(Removal { clone, inst: id });
            }
            return;
        }
        let inst = self.plan.session.function.inst(id);
        let mut cursor = Cursor::new(&mut self.next, inst.origin);
        for one in self.added.remove(&id).into_iter().flatten() {
            let form = self.plan.forms[&one.value];
            let to = steps(&mut cursor, &self.new, one.width, form);
            self.new.insert(one.value, to);
        }
        // A device function's results may be read by its callers.
        let entry = self.plan.session.function.entry;
        let mut what = None;
        for &value in &inst.results {
            let Some(&form) = self.plan.forms.get(&value) else {
                continue;
            };
            if !self.plan.is_read(value) {
                continue;
            }
            let to = steps(&mut cursor, &self.new, self.plan.width(value), form);
            self.new.insert(value, to);
            if self.read.contains(&value) || !entry {
                let redirect = &mut self.rewrite.patch.redirect;
                redirect.push(Redirect { clone, value, to });
            }
            what.get_or_insert(described(form));
        }
        let patch: &mut Patch = &mut self.rewrite.patch;
        match cursor.is_empty() {
            true => {}
            false => cursor.done(patch, Point::After(id)),
        }
        patch.remove.push(Removal { clone, inst: id });
        if let Some(what) = what {
            let remark = Remark::new(id, Fate::Rewritten, what);
            self.rewrite.remarks.push(remark);
        }
    }
}

/// How remarks describe a form.
fn described(form: Form) -> &'static str {
    match form {
        Form::Same(_) => "an earlier statement gives the same value",
        Form::Constant(_) => "it is a constant",
        Form::Sum { plus: None, .. } => "an earlier value plus a constant",
        Form::Sum { .. } | Form::Multiple { .. } => "an earlier value plus a stride",
    }
}

/// Writes a form; what is read then.
fn steps(at: &mut Cursor, new: &FxHashMap<Value, Ref>, width: u8, form: Form) -> Ref {
    let read = |value: Value| new.get(&value).copied().unwrap_or(Ref::Value(value));
    match form {
        Form::Same(value) => read(value),
        Form::Constant(bits) => Ref::Constant(width, bits),
        Form::Multiple { of, factor } => {
            let (op, by) = match factor.is_power_of_two() {
                true => {
                    let amount = u64::from(factor.trailing_zeros());
                    (Op::Shl { width }, Ref::Constant(32, amount))
                }
                false => {
                    let product = Product::Low;
                    let op = Op::Mul {
                        product,
                        width,
                        signed: true,
                    };
                    (op, Ref::Constant(width, factor))
                }
            };
            at.single(op, &[read(of), by])
        }
        Form::Sum {
            base,
            plus,
            constant,
        } => {
            let mut sum = read(base);
            if let Some((value, subtract)) = plus {
                let op = match subtract {
                    true => Op::Sub { width },
                    false => Op::Add { width },
                };
                sum = at.single(op, &[sum, read(value)]);
            }
            match constant {
                0 => sum,
                constant => at.single(Op::Add { width }, &[sum, Ref::Constant(width, constant)]),
            }
        }
    }
}
