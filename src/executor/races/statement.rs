//! What a statement does to memory, as far as races go.

use super::order::Sides;
use super::report::AccessKind;
use super::shadow::{Class, Strength};
use crate::program::Inst;
use ptxasw_ir::opcode::{Opcode, Order, Scope};
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::Action;
use rustc_hash::FxHashMap;

/// What is known of a statement that accesses memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    pub(super) class: Class,
    pub(super) kind: AccessKind,
    pub(super) sides: Sides,
    /// Elements of a vector.
    pub(super) elements: u8,
}

/// Size of the words in which asynchronous copies are reported, as a power of two.
const WORD: u8 = crate::asynchronous::WORD.trailing_zeros() as u8;

impl Statement {
    /// `write`: of an asynchronous copy the store, else the load.
    fn of(inst: &Inst, write: bool) -> Option<Statement> {
        let Action::Do(opcode) = &inst.source.action else {
            return None;
        };
        let (kind, ty, order, scope, elements) = match opcode {
            Opcode::Load(a) => (AccessKind::Load, a.ty, a.order, a.scope, a.elements),
            Opcode::Store(a) => (AccessKind::Store, a.ty, a.order, a.scope, a.elements),
            Opcode::Atomic {
                ty, order, scope, ..
            } => (AccessKind::Atomic, *ty, *order, *scope, 1),
            Opcode::Opaque { .. } if inst.asynchronous.is_some() => {
                return Some(Statement {
                    span: inst.source.span,
                    class: Class {
                        write,
                        strength: Strength::Weak,
                        size: WORD,
                    },
                    kind: match write {
                        true => AccessKind::Store,
                        false => AccessKind::Load,
                    },
                    sides: sides(Order::Weak),
                    elements: 1,
                });
            }
            _ => return None,
        };
        let class = Class {
            write: kind != AccessKind::Load,
            strength: strength(order, scope),
            size: (ty.bits / 8).max(1).trailing_zeros() as u8,
        };
        Some(Statement {
            span: inst.source.span,
            class,
            kind,
            sides: sides(order),
            elements,
        })
    }
}

pub(super) fn strength(order: Order, scope: Scope) -> Strength {
    match (order, scope) {
        (Order::Weak, _) => Strength::Weak,
        // A cluster is one block here.
        (_, Scope::Block | Scope::Cluster) => Strength::Block,
        (_, Scope::Device | Scope::System) => Strength::Device,
    }
}

pub(super) fn sides(order: Order) -> Sides {
    Sides {
        acquires: matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst),
        releases: matches!(order, Order::Release | Order::AcqRel | Order::SeqCst),
    }
}

/// The statements that have accessed memory.
#[derive(Debug, Default)]
pub(super) struct Statements {
    pub(super) all: Vec<Statement>,
    /// By the start of the span; the store of an asynchronous copy by the byte after it.
    numbers: FxHashMap<u32, u32>,
    /// The one of last time: lanes come one after the other.
    last: Option<(u32, u32)>,
}

impl Statements {
    /// The number of the statement of an instruction; none for those that do not access memory. `write`: of an asynchronous
    /// copy the store, else the load.
    pub(super) fn number(&mut self, inst: &Inst, write: bool) -> Option<u32> {
        let second = write && inst.asynchronous.is_some();
        let start = inst.source.span.start + u32::from(second);
        if let Some((last, number)) = self.last
            && last == start
        {
            return Some(number);
        }
        let number = match self.numbers.get(&start) {
            Some(&number) => number,
            None => {
                let number = self.all.len() as u32;
                self.all.push(Statement::of(inst, write)?);
                self.numbers.insert(start, number);
                number
            }
        };
        self.last = Some((start, number));
        Some(number)
    }
}
