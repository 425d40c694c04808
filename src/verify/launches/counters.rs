//! Counters of loops: which scalars say where a loop begins, how far it steps and where it ends.
//!
//! A counter is a register that depends on itself by additions and copies, and that something is compared with. Made-up launches choose its
//! three numbers together: chosen one by one they give loops without a round, or without an end.

use super::facts::Fact;
use super::usage::Usage;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::{Action, Function, Instruction, Reg, Source};

/// What a scalar is to the counter of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What the counter is in the first iteration.
    Start,
    /// What is added in each iteration.
    Step,
    /// What ends the loop, where its start or its step is a scalar, too.
    Bound,
}

/// The numbers of a loop's counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Counting {
    /// From a start on as many steps as loops are long. The bound is so far in front of the last of them.
    Steps { start: i64, step: i64, less: i64 },
    /// As many steps, the last of which ends at the largest number of the type.
    ToEnd { signed: bool, step: i64 },
    /// From 0 with a step at which indices wrap, up to a bound in the usual place, or to this one.
    Leaps { step: i64, bound: Option<i64> },
}

impl Counting {
    /// From 0 by 1.
    pub(super) const UP: Counting = Counting::Steps {
        start: 0,
        step: 1,
        less: 0,
    };

    /// The value of a scalar of so many bits, where loops are so long.
    pub(super) fn value(self, part: Part, bits: u8, length: i64) -> i64 {
        let (start, step, less) = match self {
            Counting::Steps { start, step, less } => (start, step, less),
            Counting::ToEnd { signed, step } => {
                let end = match signed {
                    true => i64::MAX >> (64 - u32::from(bits.clamp(1, 64))),
                    false => -1,
                };
                (end.wrapping_sub(step.wrapping_mul(length)), step, 0)
            }
            Counting::Leaps { step, bound } => {
                return match part {
                    Part::Start => 0,
                    Part::Step => step,
                    Part::Bound => bound.unwrap_or(length),
                };
            }
        };
        match part {
            Part::Start => start,
            Part::Step => step,
            Part::Bound => start
                .wrapping_add(step.wrapping_mul(length))
                .wrapping_sub(less),
        }
    }

    /// For loops whose start is no scalar: most begin at 0.
    pub(super) fn with_start_zero(self) -> Self {
        let (step, less) = match self {
            Counting::Steps { step, less, .. } => (step, less),
            Counting::ToEnd { step, .. } => (step, 0),
            Counting::Leaps { .. } => return self,
        };
        Counting::Steps {
            start: 0,
            step,
            less,
        }
    }

    /// The loop may step over its bound, or away from it, and go on for ever.
    pub(super) fn may_not_end(self) -> bool {
        match self {
            Counting::Steps { step, less, .. } => step <= 0 || less != 0,
            // Where another loop counts after all, the largest number is a long way.
            Counting::ToEnd { .. } | Counting::Leaps { .. } => true,
        }
    }
}

/// Finds the counters of a function; `fact` is what is known of an operand.
pub(super) fn find(usage: &mut Usage, function: &Function, fact: impl Fn(&Source) -> Fact) {
    let code = &function.instructions;
    usage.loops = (0..).zip(code).any(|(number, instruction)| {
        matches!(instruction.action, Action::Branch { target, .. } if target <= number)
    });
    if !usage.loops {
        return;
    }
    let cycles = cycles(function);
    let cycle = |source: &Source| match source {
        Source::Reg(reg) => cycles.get(reg.0 as usize).copied().flatten(),
        _ => None,
    };
    let count = cycles.iter().flatten().max().map_or(0, |most| most + 1);
    let mut counters = vec![Counter::default(); count];
    for instruction in code {
        let Some(op) = operation(instruction) else {
            continue;
        };
        let operands = &instruction.operands;
        if let (Op::Compare { .. } | Op::Set { .. }, [a, b, ..]) = (op, &operands[..]) {
            for (index, bound) in [(a, b), (b, a)] {
                if let (Some(number), None) = (cycle(index), cycle(bound)) {
                    counters[number].compared = true;
                    counters[number].bounds |= uniform(fact(bound));
                }
            }
        }
        let result = instruction.results.iter().flatten().next();
        let own = result.and_then(|reg| cycle(&Source::Reg(*reg)));
        let Some(number) = own.filter(|_| moves(op)) else {
            continue;
        };
        // What another counter holds is no scalar.
        let others = operands.iter().filter(|one| cycle(one).is_none());
        let others = others.map(&fact);
        let counter = &mut counters[number];
        if operands.iter().any(|one| cycle(one) == own) {
            counter.steps |= others.map(uniform).fold(0, |all, one| all | one);
        } else {
            for start in others {
                counter.starts |= uniform(start);
                counter.axes |= start.axes;
            }
        }
    }
    counters.retain(|counter| counter.compared && counter.bounds != 0);
    let bounds = counters.iter().fold(0, |all, one| all | one.bounds);
    counters
        .iter()
        .for_each(|counter| counter.note(usage, bounds));
}

/// A cycle of registers: scalars, a bit each.
#[derive(Clone, Copy, Default)]
struct Counter {
    compared: bool,
    starts: u128,
    steps: u128,
    bounds: u128,
    /// Axes of the thread's index that it begins with.
    axes: u8,
}

impl Counter {
    /// Notes what scalars are to it; `all` are the bounds of all counters: what ends one loop and begins another is as long as loops are.
    fn note(&self, usage: &mut Usage, all: u128) {
        usage.strided |= self.axes != 0;
        let (steps, bounds) = (self.steps & !all, self.bounds);
        let starts = self.starts & !all & !self.steps;
        let starts = if self.axes == 0 { starts } else { 0 };
        if (steps | starts) == 0 {
            return;
        }
        let parts = [
            (starts, Part::Start),
            (steps, Part::Step),
            (bounds, Part::Bound),
        ];
        for (fields, part) in parts {
            let numbered = usage.fields.iter_mut().enumerate();
            for (_, field) in numbered.filter(|(number, _)| fields >> number & 1 != 0) {
                field.part.get_or_insert(part);
            }
        }
    }
}

/// Scalars that a value depends on which is the same for all threads.
fn uniform(fact: Fact) -> u128 {
    if fact.axes == 0 { fact.fields } else { 0 }
}

/// By register, the number of the cycle of additions and copies that it is in.
fn cycles(function: &Function) -> Vec<Option<usize>> {
    let count = function.registers.len();
    let mut graph = DiGraph::<(), (), u32>::with_capacity(count, count);
    for _ in 0..count {
        graph.add_node(());
    }
    let mut own = vec![false; count];
    let node = |reg: &Reg| NodeIndex::<u32>::new(reg.0 as usize);
    for instruction in &function.instructions {
        let Some(result) = instruction.results.iter().flatten().next() else {
            continue;
        };
        if !operation(instruction).is_some_and(moves) || result.0 as usize >= count {
            continue;
        }
        for operand in &instruction.operands {
            if let Source::Reg(reg) = operand
                && (reg.0 as usize) < count
            {
                graph.add_edge(node(reg), node(result), ());
                own[result.0 as usize] |= reg == result;
            }
        }
    }
    let mut found = vec![None; count];
    let all = kosaraju_scc(&graph).into_iter();
    let cycles = all.filter(|nodes| nodes.len() > 1 || nodes.iter().any(|one| own[one.index()]));
    for (number, nodes) in cycles.enumerate() {
        for one in nodes {
            found[one.index()] = Some(number);
        }
    }
    found
}

fn operation(instruction: &Instruction) -> Option<&Op> {
    match &instruction.action {
        Action::Do(Opcode::Op(op)) => Some(op),
        _ => None,
    }
}

/// It gives one of its operands, or a sum of them.
fn moves(op: &Op) -> bool {
    matches!(op, Op::Copy { .. } | Op::Add { .. } | Op::Sub { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_counter() {
        let all = |counting: Counting| {
            [Part::Start, Part::Step, Part::Bound].map(|part| counting.value(part, 32, 3))
        };
        let steps = |start, step, less| Counting::Steps { start, step, less };
        assert_eq!(all(steps(5, 2, 0)), [5, 2, 11]);
        assert_eq!(all(steps(5, -2, 1)), [5, -2, -2]);
        let end = |signed| Counting::ToEnd { signed, step: 1 };
        let last = i64::from(i32::MAX);
        assert_eq!(all(end(true)), [last - 3, 1, last]);
        assert_eq!(all(end(false)), [-4, 1, -1]);
        assert_eq!(
            Counting::ToEnd {
                signed: true,
                step: 2
            }
            .value(Part::Bound, 64, 3),
            i64::MAX
        );
        let leap = |bound| Counting::Leaps {
            step: 1 << 30,
            bound,
        };
        assert_eq!(all(leap(None)), [0, 1 << 30, 3]);
        assert_eq!(all(leap(Some(7))), [0, 1 << 30, 7]);
    }
}
