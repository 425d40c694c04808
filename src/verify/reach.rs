//! Coverage of both kernels: basic blocks and trip counts of the original, inserted and changed statements of the rewritten kernel. Equal
//! results say nothing about what no launch reached.

use super::Kernel;
use super::matching::{Change, changes, statements};
use ptxasw_executor::{Coverage, callable};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::{Action, Function, Instruction};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Functions that do not come back.
const ENDS: [&str; 3] = ["__assertfail", "abort", "__trap"];

/// What no launch reached under which both kernels are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Basic blocks of the original, except those that end in a trap or a failed assertion.
    pub blocks: usize,
    /// The first statements of those that no lane executed.
    pub unreached: Vec<Span>,
    /// Of these, those with statements that the rewriting changed or removed.
    pub rewritten: Vec<Span>,
    /// Loops of the original that lack a trip count of zero, one or many.
    pub loops: Vec<LoopReach>,
    /// Statements that the rewriting inserted or changed, and that no lane executed.
    pub changed: Vec<Span>,
}

/// A loop with trip counts that no lane had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopReach {
    /// The first statement of its header.
    pub span: Span,
    /// No lane skipped it, although the control flow lets lanes skip it.
    pub never_skipped: bool,
    /// No lane executed exactly one iteration.
    pub never_once: bool,
    /// No lane executed [`ptxasw_executor::MANY`] iterations.
    pub never_many: bool,
    /// No lane executed a second iteration.
    pub never_again: bool,
    /// The rewriting changed statements in it.
    pub rewritten: bool,
}

impl Reach {
    /// All blocks, all trip counts and all changed accesses were executed.
    pub fn is_complete(&self) -> bool {
        self.unreached.is_empty() && self.loops.is_empty() && self.changed.is_empty()
    }

    /// All that the rewriting changed was executed, and loops with changes more than once: without that no two kernels are equal.
    pub fn covers_changes(&self) -> bool {
        let mut loops = self.loops.iter();
        let repeated = loops.all(|one| !(one.rewritten && one.never_again));
        repeated && self.rewritten.is_empty() && self.changed.is_empty()
    }
}

/// What coverage of the original (`before`) and of the rewritten kernel (`after`) lacks.
pub(super) fn reach(
    original: Kernel,
    rewritten: Kernel,
    before: &Coverage,
    after: &Coverage,
) -> Reach {
    let mut reach = Reach::default();
    let others = numbered(rewritten);
    for (first, function) in numbered(original) {
        let other = others.iter().find(|(_, one)| one.name == function.name);
        let changes = match other {
            Some((_, other)) => changes(
                &statements(original.text, function),
                &statements(rewritten.text, other),
            ),
            None => vec![Change {
                original: 0..function.instructions.len(),
                rewritten: 0..0,
            }],
        };
        reach.blocks(first, function, before, &changes);
        if let Some((first, other)) = other {
            let changed = changes.iter().flat_map(|change| change.rewritten.clone());
            reach
                .changed
                .extend(changed_unreached(*first, other, after, changed));
        }
        if first == 0 {
            reach.loops = loops(function, before, &changes);
        }
    }
    let mut known = FxHashSet::default();
    known.extend(numbered(original).iter().map(|(_, one)| one.name.clone()));
    for (first, function) in others
        .into_iter()
        .filter(|(_, one)| !known.contains(&one.name))
    {
        let all = 0..function.instructions.len();
        reach
            .changed
            .extend(changed_unreached(first, function, after, all));
    }
    reach
}

impl Reach {
    /// Adds the blocks of a function whose first instruction has this number.
    fn blocks(&mut self, first: u32, function: &Function, before: &Coverage, changes: &[Change]) {
        let code = &function.instructions;
        for block in expected(code) {
            self.blocks += 1;
            let mut numbers = block.clone().map(|number| first + number);
            if !numbers.any(|number| before.has_any(number)) {
                let span = code[block.start as usize].span;
                self.unreached.push(span);
                if is_changed(changes, &block, false) {
                    self.rewritten.push(span);
                }
            }
        }
    }
}

/// The rewriting changed or removed statements within these, or inserted some: at their `ends`, too, if it may be so.
fn is_changed(changes: &[Change], range: &Range<u32>, ends: bool) -> bool {
    let (start, end) = (range.start as usize, range.end as usize);
    let mut changes = changes.iter().map(|change| &change.original);
    changes.any(|one| match ends && one.is_empty() {
        true => start <= one.start && one.start <= end,
        false => one.start < end && start < one.end,
    })
}

/// The blocks that launches are expected to reach: a path leads to them, and they do not end in a trap or a failed assertion.
fn expected(code: &[Instruction]) -> impl Iterator<Item = Range<u32>> {
    let live = live(code);
    blocks(code).into_iter().filter(move |block| {
        let inside = &code[block.start as usize..block.end as usize];
        live[block.start as usize] && !inside.iter().any(ends) && !inside.iter().all(jumps)
    })
}

/// Inserted and changed statements of a function that no lane executed.
fn changed_unreached(
    first: u32,
    function: &Function,
    after: &Coverage,
    changed: impl Iterator<Item = usize>,
) -> Vec<Span> {
    let code = &function.instructions;
    let expected: FxHashSet<u32> = expected(code).flatten().collect();
    let unreached = changed.filter(|&number| {
        let number = number as u32;
        expected.contains(&number) && !after.has_any(first + number)
    });
    let counted = unreached.filter_map(|number| code.get(number));
    // Branches and calls are not counted: what follows them is.
    let counted = counted.filter(|one| !jumps(one) && !is_call(one));
    counted.map(|one| one.span).collect()
}

fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.action, Action::Do(Opcode::Call { .. }))
}

/// The functions of a kernel, each with the number of its first instruction.
fn numbered<'a>(kernel: Kernel<'a>) -> Vec<(u32, &'a Function)> {
    let callees = callable(kernel.module, kernel.function);
    let callees = callees
        .into_iter()
        .filter_map(|index| kernel.module.functions.get(index as usize));
    let mut next = 0;
    let functions = std::iter::once(kernel.function).chain(callees);
    functions
        .map(|function| {
            let first = next;
            // One more is the return at its end.
            next += function.instructions.len() as u32 + 1;
            (first, function)
        })
        .collect()
}

/// The basic blocks of a function, as ranges of instructions.
fn blocks(code: &[Instruction]) -> Vec<Range<u32>> {
    let mut begins = vec![false; code.len() + 1];
    begins[0] = true;
    begins[code.len()] = true;
    for (number, instruction) in code.iter().enumerate() {
        for &target in targets(instruction) {
            begins[(target as usize).min(code.len())] = true;
        }
        if !matches!(instruction.action, Action::Do(_)) {
            begins[number + 1] = true;
        }
        if instruction.guard.is_some() && accesses(instruction) {
            (begins[number], begins[number + 1]) = (true, true);
        }
    }
    let begins: Vec<u32> = (0u32..)
        .zip(begins)
        .filter_map(|(number, begins)| begins.then_some(number))
        .collect();
    begins.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn targets(instruction: &Instruction) -> &[u32] {
    match &instruction.action {
        Action::Branch { target, .. } => std::slice::from_ref(target),
        Action::BranchIndexed { targets, .. } => targets,
        _ => &[],
    }
}

/// The instructions that some path from the entry leads to.
fn live(code: &[Instruction]) -> Vec<bool> {
    let mut live = vec![false; code.len() + 1];
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        if std::mem::replace(&mut live[number], true) {
            continue;
        }
        let Some(instruction) = code.get(number) else {
            continue;
        };
        let targets = targets(instruction).iter();
        open.extend(targets.map(|&target| (target as usize).min(code.len())));
        if matches!(instruction.action, Action::Do(_)) || instruction.guard.is_some() {
            open.push(number + 1);
        }
    }
    live
}

fn jumps(instruction: &Instruction) -> bool {
    !matches!(instruction.action, Action::Do(_))
}

/// It traps, or calls a function that does not return.
fn ends(instruction: &Instruction) -> bool {
    match &instruction.action {
        Action::Trap => instruction.guard.is_none(),
        Action::Do(Opcode::Call {
            callee: Some(name), ..
        }) => ENDS.contains(&&**name),
        _ => false,
    }
}

fn loops(original: &Function, before: &Coverage, changes: &[Change]) -> Vec<LoopReach> {
    let seen = before.loops().iter();
    let left = seen.filter_map(|one| {
        let instruction = original.instructions.get(one.head as usize)?;
        let left = LoopReach {
            span: instruction.span,
            never_skipped: one.never_skipped(),
            never_once: one.never_once(),
            never_many: one.never_many(),
            never_again: one.never_again(),
            rewritten: is_changed(changes, &(one.head..one.last + 1), true),
        };
        (left.never_skipped || left.never_once || left.never_many).then_some(left)
    });
    left.collect()
}

/// The numbers of all accesses of a kernel, as [`Coverage::has_any`] takes them.
pub(super) fn all_accesses(kernel: Kernel) -> Vec<u32> {
    let functions = numbered(kernel).into_iter();
    let found = functions.flat_map(|(first, function)| {
        let code = (first..).zip(&function.instructions);
        code.filter(|(_, one)| accesses(one))
            .map(|(number, _)| number)
    });
    found.collect()
}

/// The kernel has no store, atomic, call or other side effect.
pub(super) fn only_reads(kernel: Kernel) -> bool {
    let mut code = kernel.function.instructions.iter();
    code.all(|one| match &one.action {
        Action::Do(opcode) => matches!(opcode, Opcode::Op(_) | Opcode::Load(_)),
        _ => true,
    })
}

/// It reads or writes memory that outlives a thread.
fn accesses(instruction: &Instruction) -> bool {
    let space = match &instruction.action {
        Action::Do(Opcode::Load(access) | Opcode::Store(access)) => access.space,
        Action::Do(Opcode::Atomic { space, .. }) => *space,
        _ => return false,
    };
    matches!(space, Space::Global | Space::Generic)
}
