//! One instruction of the walk: terms for its results, an event in the trace.

use super::{MAX_WIDTH, Walk};
use crate::term::TermId;
use crate::trace;
use ptxasw_ir::function::{Inst, InstId};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics;
use smallvec::SmallVec;

impl Walk<'_> {
    pub(super) fn execute(&mut self, id: InstId) {
        let function = self.function;
        let inst = function.inst(id);
        match &inst.opcode {
            Opcode::Op(op) => {
                if !self.apply(inst, op) {
                    self.opaque_results(inst);
                }
            }
            Opcode::Load(access) => self.load(id, inst, access),
            opcode => {
                if let Some(kind) = trace::kind(opcode) {
                    self.record(id, inst, kind);
                }
                self.opaque_results(inst);
            }
        }
    }

    fn apply(&mut self, inst: &Inst, op: &Op) -> bool {
        let mut args: SmallVec<[TermId; 4]> = SmallVec::new();
        for &arg in &inst.args {
            match self.term(arg) {
                Some(term) => args.push(term),
                None => return false,
            }
        }
        if inst
            .results
            .iter()
            .any(|&result| self.function.value(result).width > MAX_WIDTH)
        {
            return false;
        }
        let results = semantics::apply(&mut self.terms, op, &args);
        for (&value, term) in inst.results.iter().zip(results) {
            self.values[value.index()] = Some(term);
        }
        true
    }

    pub(super) fn opaque_results(&mut self, inst: &Inst) {
        for &result in &inst.results {
            let width = self.function.value(result).width;
            if width <= MAX_WIDTH && self.values[result.index()].is_none() {
                let term = self.opaque_value(format!("value.{result}"), width, result, inst.block);
                self.values[result.index()] = Some(term);
            }
        }
    }
}
