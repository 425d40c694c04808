//! Induction variables: loop-carried values that grow by a constant or invariant step, as `init + step * k`.
//!
//! A header's parameter is one if each value that comes back over a latch is the parameter plus a chain of additions of
//! values from outside the loop: the same sum over every latch, or a small multiple of it (chains of recurrences of degree one, van Engelen
//! 2001). The multiples are those of the loop: where one of its back edges makes four steps, it does so for all of these parameters.

use super::Walk;
use crate::term::{TermId, Terms, Variance};
use crate::{Counter, symbols};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::{BlockId, Function, Terminator, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use smallvec::SmallVec;

/// Additions followed in one iteration of a (possibly unrolled) loop.
const MAX_CHAIN: usize = 256;
/// Steps that one back edge makes.
const MAX_STEPS: u32 = 16;

/// One addend of a step: a value from outside the loop, added or subtracted.
type Addend = (Value, bool);

impl Walk<'_> {
    /// `init + step * k`.
    pub(super) fn induction_variable(
        &mut self,
        header: LoopId,
        index: usize,
        width: u8,
    ) -> Option<TermId> {
        let data = self.analyses.loops.get(header);
        if data.irreducible {
            return None;
        }
        let total = self.step(header, index)?;
        let mut init = None;
        for &entry in &data.entries {
            for argument in arguments(self.function, &self.analyses.cfg, entry, data.header, index)
            {
                let term = self.term(argument)?;
                if *init.get_or_insert(term) != term {
                    return None;
                }
            }
        }
        // What does not grow says nothing of the steps that the counter counts.
        if self.terms.as_const(total) == Some(0) {
            return init;
        }
        let counter = self.counter(header);
        let counter = symbols::resize(&mut self.terms, counter, width);
        let grown = self.terms.mul(total, counter);
        Some(self.terms.add(init?, grown))
    }

    /// By how much a parameter grows in each step, if that is invariant.
    pub(super) fn step(&mut self, header: LoopId, index: usize) -> Option<TermId> {
        let parameter = *self
            .function
            .block(self.analyses.loops.get(header).header)
            .params
            .get(index)?;
        let width = self.function.value(parameter).width;
        let mut totals: SmallVec<[TermId; 2]> = SmallVec::new();
        for sum in sums(self.function, self.analyses, header, index)? {
            let mut total = self.terms.constant(width, 0);
            for (value, subtract) in sum {
                let term = self.term(value)?;
                total = if subtract {
                    self.terms.sub(total, term)
                } else {
                    self.terms.add(total, term)
                };
            }
            totals.push(total);
        }
        let first = *totals.first()?;
        if totals
            .iter()
            .all(|&sum| self.terms.as_const(sum) == Some(0))
        {
            return Some(first);
        }
        if !self.steps.contains_key(&header) {
            let steps = multiples(&mut self.terms, &totals)?;
            self.steps.insert(header, steps);
        }
        let steps = &self.steps[&header];
        let unit = totals[steps.iter().position(|&steps| steps == 1)?];
        let mut both = steps.iter().zip(&totals);
        let alike = both.all(|(&steps, &sum)| self.terms.scale(unit, steps.into()) == sum);
        alike.then_some(unit)
    }

    /// What the counter of a loop counts.
    pub(super) fn counted(&self, inside: LoopId) -> Counter {
        let latches = self.analyses.loops.get(inside).latches.iter().enumerate();
        let known = self.steps.get(&inside);
        let steps = |number: usize| known.map_or(1, |steps| steps[number]);
        Counter {
            inside,
            latches: latches
                .map(|(number, &latch)| (latch, steps(number)))
                .collect(),
        }
    }

    /// The number of steps so far. It is the same for all lanes of a row only if nothing but uniform branches decides how
    /// often the loop runs, and each iteration makes one step; else a lane's counter says nothing of its neighbour's.
    fn counter(&mut self, header: LoopId) -> TermId {
        if let Some(&counter) = self.counters.get(&header) {
            return counter;
        }
        let block = self.analyses.loops.get(header).header;
        let name = format!("iteration.{block}");
        let counter = match self.counted(header).of_iterations() {
            true => self.opaque_of_level(name, 64, Level::Uniform, block),
            false => self.opaque(name, 64, Variance::Of(Level::Divergent), block),
        };
        self.counters.insert(header, counter);
        self.may_be_address.insert(counter, false);
        counter
    }
}

/// What a latch adds, as a sum of values from outside the loop; `true` subtracts.
type Sum = SmallVec<[Addend; 4]>;

/// What each latch adds to the `index`-th parameter of a loop's header, in the order of the latches.
fn sums(
    function: &Function,
    analyses: &Analyses,
    inside: LoopId,
    index: usize,
) -> Option<SmallVec<[Sum; 2]>> {
    let data = analyses.loops.get(inside);
    let parameter = *function.block(data.header).params.get(index)?;
    let of_latch = |&latch: &BlockId| {
        let passed = arguments(function, &analyses.cfg, latch, data.header, index);
        let mut chains = passed
            .into_iter()
            .map(|argument| chain(function, analyses, inside, argument, parameter));
        let first = chains.next()??;
        chains
            .all(|other| other.as_ref() == Some(&first))
            .then_some(first)
    };
    data.latches.iter().map(of_latch).collect()
}

/// Of which of some sums all are small multiples, and of how many steps each is.
fn multiples(terms: &mut Terms, sums: &[TermId]) -> Option<SmallVec<[u32; 2]>> {
    let mut units = sums.to_vec();
    units.dedup();
    units.into_iter().find_map(|unit| {
        let times =
            |&sum: &TermId| (1..=MAX_STEPS).find(|&steps| terms.scale(unit, steps.into()) == sum);
        sums.iter().map(times).collect()
    })
}

/// What the branch of `from` passes for the `index`-th parameter of `to`: one value for each edge.
pub(super) fn arguments(
    function: &Function,
    cfg: &Cfg,
    from: BlockId,
    to: BlockId,
    index: usize,
) -> SmallVec<[Value; 2]> {
    let terminator: &Terminator = &function.block(from).terminator;
    let targets = cfg.targets_between(from, to);
    let targets = targets.filter_map(|number| terminator.target(number));
    targets
        .filter_map(|target| target.args.get(index).copied())
        .collect()
}

/// `from` as `parameter` plus addends.
fn chain(
    function: &Function,
    analyses: &Analyses,
    inside: LoopId,
    from: Value,
    parameter: Value,
) -> Option<SmallVec<[Addend; 4]>> {
    let mut addends = SmallVec::new();
    let mut value = from;
    for _ in 0..MAX_CHAIN {
        if value == parameter {
            addends.sort_unstable();
            return Some(addends);
        }
        let ValueDef::Result(inst, 0) = function.value(value).def else {
            return None;
        };
        let inst = function.inst(inst);
        let outside = |value: Value| defined_outside(function, analyses, inside, value);
        match (&inst.opcode, inst.args.as_slice()) {
            (Opcode::Op(Op::Copy { .. }), &[a]) => value = a,
            (Opcode::Op(Op::Add { .. }), &[a, b]) if outside(b) => {
                addends.push((b, false));
                value = a;
            }
            (Opcode::Op(Op::Add { .. }), &[a, b]) if outside(a) => {
                addends.push((a, false));
                value = b;
            }
            (Opcode::Op(Op::Sub { .. }), &[a, b]) if outside(b) => {
                addends.push((b, true));
                value = a;
            }
            _ => return None,
        }
    }
    None
}

/// Whether a value does not change while the loop runs.
pub(super) fn defined_outside(
    function: &Function,
    analyses: &Analyses,
    inside: LoopId,
    value: Value,
) -> bool {
    let block = match function.value(value).def {
        ValueDef::Result(inst, _) => function.inst(inst).block,
        ValueDef::Parameter(block, _) => block,
        ValueDef::Constant(_) | ValueDef::Special(_) | ValueDef::Address(..) => return true,
        ValueDef::Undefined => return false,
    };
    !analyses.loops.contains(inside, block)
}
