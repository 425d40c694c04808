//! Induction variables: loop-carried values that grow by a constant or invariant step, as `init + step * k`.
//!
//! A header's parameter is one if each value that comes back over a latch is the parameter plus a chain of additions of
//! values from outside the loop: the same sum over every latch, or a small multiple of it (chains of recurrences of degree one, van Engelen
//! 2001). The multiples are those of the loop: where one of its back edges makes four steps, it does so for all of these parameters.

use crate::term::{TermId, Terms};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::cfg::Cfg;
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
pub(super) type Addend = (Value, bool);

/// What a latch adds, as a sum of values from outside the loop; `true` subtracts.
pub(super) type Sum = SmallVec<[Addend; 4]>;

/// What each latch adds to the `index`-th parameter of a loop's header, in the order of the latches.
pub(super) fn sums(
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
pub(super) fn multiples(terms: &mut Terms, sums: &[TermId]) -> Option<SmallVec<[u32; 2]>> {
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
