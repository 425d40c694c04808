//! How a kernel uses its parameters and its place in the grid, as far as the flow of values between registers shows.
//!
//! It does not look at the order of statements: a register stands for all values that it ever holds. What is found is
//! used to guess launches, so that a wrong guess costs a launch and nothing else.

use super::callees::{Callees, Pointers};
use super::counters::{self, Part};
use super::field::{Field, Holder};
use super::flow::Flow;
use ptxasw_ir::types::Special;
use ptxasw_ptx::decode::form::{Call, Function, Module, Source};
use std::collections::BTreeSet;

/// Rounds of the fixed point: values carried through so many loop headers in a row are still seen.
const ROUNDS: usize = 8;

/// What is known of a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// Scalars that are loaded from parameters, by parameter and offset, then those in memory that they lead to.
    pub(super) fields: Vec<Field>,
    /// `%tid` of these axes is read.
    pub(super) tid: [bool; 3],
    /// `%ctaid` of these axes is read.
    pub(super) ctaid: [bool; 3],
    /// What `%tid` of each axis is compared with, taken apart by, or subtracted from: as many threads, perhaps.
    pub(super) limits: [BTreeSet<u32>; 3],
    /// What `%tid` of each axis is multiplied with: the length of a row, perhaps.
    pub(super) rows: [BTreeSet<u32>; 3],
    /// The kernel has a loop, so trip counts are varied.
    pub(super) loops: bool,
    /// A loop begins at the thread's index and ends at a scalar: a block may go through more elements than it has threads.
    pub(super) strided: bool,
}

impl Usage {
    /// Of a kernel; what the functions that it calls do with pointers counts.
    pub(super) fn of(module: &Module, function: &Function) -> Usage {
        Usage::with(function, &mut Callees::new(module))
    }

    /// Of a function.
    pub(super) fn with(function: &Function, callees: &mut Callees) -> Usage {
        let calls: Vec<(&Call, Pointers)> = function
            .calls
            .iter()
            .map(|call| (call, callees.pointers(function, call)))
            .collect();
        let mut flow = Flow::new(function);
        for _ in 0..ROUNDS {
            let mut calls = calls.iter().peekable();
            for (number, instruction) in (0..).zip(&function.instructions) {
                flow.visit(instruction);
                while let Some((call, pointers)) = calls.next_if(|(c, _)| c.instruction == number) {
                    flow.pass(call, pointers);
                }
            }
            if !flow.has_changed() {
                break;
            }
        }
        let mut usage = std::mem::take(&mut flow.usage);
        counters::find(&mut usage, function, |source| flow.fact(Some(source)));
        let operands = function.instructions.iter().flat_map(|i| &i.operands);
        for source in operands {
            let (of, axis) = match source {
                Source::Special(Special::Tid(axis)) => (&mut usage.tid, *axis),
                Source::Special(Special::Ctaid(axis)) => (&mut usage.ctaid, *axis),
                _ => continue,
            };
            if let Some(used) = of.get_mut(usize::from(axis)) {
                *used = true;
            }
        }
        usage
    }

    /// The number of the field at an offset of a parameter.
    pub(super) fn number(&self, parameter: usize, offset: u64) -> Option<usize> {
        let holder = Holder::Parameter(u32::try_from(parameter).ok()?);
        let mut fields = self.fields.iter();
        fields.position(|f| f.holder == holder && f.offset == offset)
    }

    /// The field at an offset of a parameter.
    pub(super) fn field(&self, parameter: usize, offset: u64) -> Option<&Field> {
        let number = self.number(parameter, offset)?;
        self.fields.get(number)
    }

    /// Some scalar is compared with indices along this axis.
    pub(super) fn bounded(&self, axis: usize) -> bool {
        self.fields
            .iter()
            .any(|field| field.bounds >> axis & 1 != 0)
    }

    /// Some scalar is this to the counter of a loop.
    pub(super) fn has(&self, part: Part) -> bool {
        self.fields.iter().any(|field| field.part == Some(part))
    }

    /// The fields that lie where this one points to.
    pub(super) fn behind(&self, field: usize) -> impl Iterator<Item = (usize, &Field)> {
        let numbered = self.fields.iter().enumerate();
        numbered.filter(move |(_, one)| {
            matches!(one.holder, Holder::Behind(by) | Holder::Among(by) if usize::from(by) == field)
        })
    }
}
