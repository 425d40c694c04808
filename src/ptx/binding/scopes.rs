//! What names mean in which part of a body: inner scopes, and declarations after the first instruction.

use super::late::{Late, is_prototype};
use crate::ast::{Body, Module, StatementKind, Variable};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Why a declaration after the first statement prevents a second copy.
pub(super) const LATE: &str = "a declaration that cannot begin the body";

/// The scopes of one body.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    /// Names that do not mean the same everywhere: those of inner scopes, which hide others, and those that are declared
    /// after the first instruction, in front of which they mean nothing, or a variable of the module.
    single: FxHashSet<&'a str>,
    /// `%r<5>`: the prefix and the count.
    ranges: Vec<(&'a str, u32)>,
    /// The braces of the outermost inner scopes, in their order.
    inner: Vec<(u32, u32)>,
    /// Declarations of the function's own scope after the first instruction that must stay there.
    late: Vec<u32>,
    /// Those that can begin the body as well, with prototypes of calls and their labels: the writer moves them there.
    hoisted: Vec<u32>,
}

impl<'a> Scopes<'a> {
    pub fn new(module: &'a Module, body: Option<&Body>) -> Self {
        let mut scopes = Scopes::default();
        let mut moves = body.map(|body| Late::new(module, body));
        let (mut depth, mut opened, mut started) = (0u32, 0, false);
        let statements = body.map_or(&[][..], |body| &body.statements);
        for (number, statement) in (0..).zip(statements) {
            let movable = |moves: &mut Option<Late>| {
                moves.as_mut().is_some_and(|moves| moves.can_begin(number))
            };
            match &statement.kind {
                StatementKind::Open => {
                    if depth == 0 {
                        opened = number;
                    }
                    depth += 1;
                }
                StatementKind::Close => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        scopes.inner.push((opened, number));
                    }
                }
                StatementKind::Variable(_) if depth == 0 && started && movable(&mut moves) => {
                    scopes.hoisted.push(number);
                }
                StatementKind::Variable(variable) if depth > 0 || started => {
                    if depth == 0 {
                        scopes.late.push(number);
                    }
                    scopes.declare(module, variable);
                }
                StatementKind::Label(_)
                    if depth == 0 && is_prototype(module, statements, number) =>
                {
                    let moves = started && movable(&mut moves);
                    let both = [number, number + 1].into_iter();
                    scopes.hoisted.extend(both.filter(|_| moves));
                }
                StatementKind::Instruction(_) | StatementKind::Label(_) => started = true,
                _ => {}
            }
        }
        scopes.ranges.sort_unstable();
        scopes.ranges.dedup();
        scopes
    }

    fn declare(&mut self, module: &'a Module, variable: &Variable) {
        for declarator in &variable.names {
            let name = module.str(declarator.name);
            match declarator.count {
                Some(count) => self.ranges.push((name, count)),
                None => {
                    self.single.insert(name);
                }
            }
        }
    }

    /// Whether a name of the function's own scope means something else elsewhere in the body.
    pub fn changes(&self, name: &str) -> bool {
        // An element of a vector register has its name and a dot.
        let name = name.split('.').next().unwrap_or(name);
        self.single.contains(name)
            || self.ranges.iter().any(|(prefix, count)| {
                let number = name
                    .strip_prefix(prefix)
                    .and_then(|digits| digits.parse::<u32>().ok());
                number.is_some_and(|number| number < *count)
            })
    }

    /// The statements that begin the body wherever the function is changed, in their order.
    pub fn hoisted(&self) -> &[u32] {
        &self.hoisted
    }

    /// What makes names of statements mean something else in front of `before`.
    pub fn between(&self, before: u32, statements: &Range<u32>) -> Option<(u32, &'static str)> {
        if let Some(at) = [before, statements.start]
            .into_iter()
            .find(|&at| self.is_inside(at))
        {
            return Some((at, "a branch or label in an inner scope"));
        }
        let (first, end) = (before.min(statements.start), before.max(statements.end));
        let late = self.late.partition_point(|&late| late < first);
        let late = self.late.get(late).copied().filter(|&late| late < end)?;
        Some((late, LATE))
    }

    /// Whether code in front of a statement is in an inner scope.
    pub fn is_inside(&self, statement: u32) -> bool {
        let opened = self.inner.partition_point(|&(open, _)| open < statement);
        let scope = opened.checked_sub(1).and_then(|last| self.inner.get(last));
        scope.is_some_and(|&(_, close)| statement <= close)
    }
}
