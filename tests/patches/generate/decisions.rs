//! Loads on both sides of decisions.

use super::Generator;
use ptxasw::ir::function::InstId;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{CloneId, Merged, NewResult, Point, Ref, Removal, Step};
use ptxasw::ir::types::Space;

/// A load that is written several times.
struct Loaded<'a> {
    opcode: &'a Opcode,
    args: Vec<Ref>,
    widths: &'a [u8],
    origin: u32,
}

impl Generator<'_> {
    /// A load on both sides of a decision, whatever its condition is.
    pub(super) fn on_both_sides(&mut self, clone: Option<CloneId>, id: InstId) {
        let inst = self.function.inst(id);
        let Opcode::Load(access) = &inst.opcode else {
            return;
        };
        if access.space == Space::ParamFunc || !self.readable(&inst.args) {
            return;
        }
        let widths: Vec<u8> = inst
            .results
            .iter()
            .map(|&value| self.function.value(value).width)
            .collect();
        let mut steps = Vec::new();
        let condition = self.condition(false, &mut steps);
        let load = Loaded {
            opcode: &inst.opcode,
            args: self.refs(&inst.args),
            widths: &widths,
            origin: inst.origin,
        };
        let (decision, values) = self.decided(&load, condition, 2);
        for (new, &value) in values.into_iter().zip(&inst.results) {
            self.redirect(clone, value, new);
        }
        steps.push(decision);
        self.insert(clone, Point::Before(id), steps);
        self.patch.remove.push(Removal { clone, inst: id });
    }

    /// A load on both sides of a decision, perhaps of another one.
    fn decided(&mut self, load: &Loaded, condition: Ref, depth: u32) -> (Step, Vec<Ref>) {
        let (then, one) = self.loaded(load, depth);
        let (otherwise, other) = self.loaded(load, depth);
        let merged = one.into_iter().zip(other).zip(load.widths);
        let results: Vec<Merged> = merged
            .map(|((then, otherwise), &width)| Merged {
                result: NewResult {
                    value: self.fresh(),
                    width,
                },
                then,
                otherwise,
            })
            .collect();
        let values = results.iter().map(|one| Ref::New(one.result.value));
        let values = values.collect();
        let step = Step::If {
            condition,
            then,
            otherwise,
            results,
            origin: load.origin,
        };
        (step, values)
    }

    /// One side.
    fn loaded(&mut self, load: &Loaded, depth: u32) -> (Vec<Step>, Vec<Ref>) {
        if depth > 0 && self.random.one_in(3) {
            let mut steps = Vec::new();
            let condition = self.condition(false, &mut steps);
            let (step, values) = self.decided(load, condition, depth - 1);
            steps.push(step);
            return (steps, values);
        }
        let results = load.widths.iter().map(|&width| NewResult {
            value: self.fresh(),
            width,
        });
        let results: Vec<NewResult> = results.collect();
        let values = results.iter().map(|one| Ref::New(one.value)).collect();
        let step = Step::Inst {
            opcode: load.opcode.clone(),
            args: load.args.clone(),
            results,
            guard: None,
            origin: load.origin,
            keep: false,
        };
        (vec![step], values)
    }
}
