//! The memory trace: every access to memory and everything that orders memory, in the order of the walk, with symbolic
//! addresses (the paper's Listing 5).

use super::domains::alias::{self, Assumptions};
use super::domains::disjointness::Distances;
use super::term::{TermId, Terms};
use ptxasw_ir::function::{BlockId, Function, InstId, Value};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::{Access, BarrierKind, Effects, Opcode};
use ptxasw_ir::types::Space;
use std::fmt::Write as _;

/// What an event does to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A load.
    Load(Access),
    /// A store.
    Store(Access),
    /// `atom`, `red`.
    Atomic,
    /// A barrier. `whole_block`: all threads of the block pass it together, and their earlier writes are visible after it.
    Barrier {
        /// An aligned `bar.sync` or `bar.red`.
        whole_block: bool,
    },
    /// `fence`, `membar`.
    Fence,
    /// A call or an instruction that is not modelled, with what it may do.
    Opaque(Effects),
}

/// The object an address points into, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// A pointer held by a parameter.
    Pointer {
        /// The term of its value.
        value: TermId,
        /// The parameter's number, where it is known.
        parameter: Option<u32>,
        /// It is declared not to alias ([`Param::no_alias`]).
        ///
        /// [`Param::no_alias`]: ptxasw_ir::function::Param::no_alias
        no_alias: bool,
    },
    /// A variable: its number in the function.
    Variable(u32),
    /// Not known.
    Unknown,
}

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Its instruction.
    pub inst: InstId,
    /// Its block.
    pub block: BlockId,
    /// Position among the events of its block.
    pub position: u32,
    /// The address, 64 bits, offset included. None where it has no address.
    pub address: Option<TermId>,
    /// Bytes accessed; 0 where it has no address.
    pub bytes: u32,
    /// The state space: as written, or for a generic address that of the object it points into.
    pub space: Space,
    /// Where the address points.
    pub provenance: Provenance,
    /// It is generic, and its address is an offset in the window of this space: no `cvta` has made a generic address of it. Such an
    /// access faults, or touches what has nothing to do with the variable; it stays as it is.
    pub unconverted: Option<Space>,
    /// Executed under a guard of its own.
    pub guarded: bool,
    /// The front end's statement.
    pub origin: u32,
    /// It is no instruction but what a loop carries into each iteration: a number in [`Trace::carried`]. Instruction and
    /// statement are those of the load in the loop.
    pub carried: Option<u32>,
}

/// A value that a loop carries in a register into its next iteration, as a load at the start of the iteration.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The header's parameter.
    pub parameter: Value,
    /// The loop.
    pub inside: LoopId,
    /// Which element of the load in the loop it is.
    pub element: u32,
    /// All edges that lead to the header, those of one block together.
    pub edges: Vec<Edge>,
}

/// What an edge to a loop's header passes.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The block that it comes from.
    pub from: BlockId,
    /// It goes back, from inside of the loop.
    pub back: bool,
    /// The event that brings the value: a load, or a carried value. None for all others, and for other kinds of loads.
    pub source: Option<u32>,
    /// The address of the bytes that it brings.
    pub brings: Option<TermId>,
    /// The address of the carried value's bytes, in the iteration that the edge leads to.
    pub wanted: TermId,
}

impl Event {
    /// The access of a load.
    pub fn load(&self) -> Option<&Access> {
        match &self.kind {
            EventKind::Load(access) => Some(access),
            _ => None,
        }
    }

    /// A barrier that all threads of the block pass together: what was written before is visible to all after it.
    pub fn is_block_barrier(&self) -> bool {
        matches!(self.kind, EventKind::Barrier { whole_block: true }) && !self.guarded
    }

    /// Whether the bytes it reads cannot change while the kernel runs (`.nc`, `.const`, kernel parameters).
    pub fn reads_constant(&self) -> bool {
        matches!(self.space, Space::Const | Space::ParamEntry)
            || self.load().is_some_and(|access| access.non_coherent)
    }
}

/// The trace of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Events; those of one block are contiguous and in order, blocks are in reverse post-order.
    pub events: Vec<Event>,
    /// For each block, the range of its events.
    pub blocks: Vec<std::ops::Range<u32>>,
    /// What loops carry.
    pub carried: Vec<Carried>,
}

impl Trace {
    /// The events of a block.
    pub fn of_block(&self, block: BlockId) -> &[Event] {
        match self.blocks.get(block.index()) {
            Some(range) => &self.events[range.start as usize..range.end as usize],
            None => &[],
        }
    }
}

/// Classifies an instruction that touches or orders memory; `None` for all others.
pub(super) fn kind(opcode: &Opcode) -> Option<EventKind> {
    Some(match opcode {
        Opcode::Load(access) => EventKind::Load(*access),
        Opcode::Store(access) => EventKind::Store(*access),
        Opcode::Atomic { .. } => EventKind::Atomic,
        Opcode::Fence(..) => EventKind::Fence,
        Opcode::Barrier { kind, aligned } => EventKind::Barrier {
            whole_block: *aligned && matches!(kind, BarrierKind::Sync | BarrierKind::Reduce(_)),
        },
        Opcode::Call { effects, .. } | Opcode::Opaque { effects } if touches(*effects) => {
            EventKind::Opaque(*effects)
        }
        _ => return None,
    })
}

/// Whether an instruction that is not modelled does more than to read.
fn touches(effects: Effects) -> bool {
    effects.writes || effects.waits || effects.exits || effects.convergent
}

/// Loads that one line of the printed trace names as killed.
const MAX_NAMED: usize = 8;
/// Loads before an event that are looked at for its line.
const MAX_LOOKED_AT: usize = 256;

/// Prints the trace readably: one event a line, with path condition and address, and which loads before it in the walk it
/// kills (their value may not be used for a later load of the same bytes).
pub fn print(
    function: &Function,
    terms: &mut Terms,
    trace: &Trace,
    conditions: &super::conditions::PathConditions,
    assumed: Assumptions,
) -> String {
    let mut distances = Distances::default();
    let mut out = String::new();
    let mut last = None;
    for (index, event) in trace.events.iter().enumerate() {
        if last != Some(event.block) {
            last = Some(event.block);
            let condition: Vec<String> = conditions
                .of_block(event.block)
                .map(|fact| terms.display(fact).to_string())
                .collect();
            let condition = if condition.is_empty() {
                "true".to_string()
            } else {
                condition.join(" and ")
            };
            let _ = writeln!(out, "{}: if {condition}", event.block);
        }
        let before = &trace.events[..index];
        let killed = killed(terms, &mut distances, before, event, assumed);
        let _ = writeln!(out, "  {}{killed}", line(function, terms, event));
    }
    out
}

/// ` kills #3 #7`: the loads among `before` whose bytes `event` may change.
fn killed(
    terms: &mut Terms,
    distances: &mut Distances,
    before: &[Event],
    event: &Event,
    assumed: Assumptions,
) -> String {
    let loads = before
        .iter()
        .rev()
        .filter(|load| load.carried.is_none() && load.load().is_some() && !load.reads_constant());
    let killed: Vec<u32> = loads
        .take(MAX_LOOKED_AT)
        .filter(|load| kills(terms, distances, event, load, assumed))
        .map(|load| load.origin)
        .collect();
    if killed.is_empty() {
        return String::new();
    }
    let names: Vec<String> = killed
        .iter()
        .rev()
        .take(MAX_NAMED)
        .map(|origin| format!("#{origin}"))
        .collect();
    let more = if killed.len() > MAX_NAMED { " ..." } else { "" };
    format!(" kills {}{more}", names.join(" "))
}

fn kills(
    terms: &mut Terms,
    distances: &mut Distances,
    event: &Event,
    load: &Event,
    assumed: Assumptions,
) -> bool {
    match alias::kills_all(event) {
        Err(_) => true,
        Ok(Some(_)) => false,
        Ok(None) => {
            alias::apart(terms, distances, &event.bytes(), &load.bytes(), assumed).is_none()
        }
    }
}

fn line(function: &Function, terms: &Terms, event: &Event) -> String {
    let guard = if event.guarded { " (guarded)" } else { "" };
    let name = match &event.kind {
        EventKind::Load(_) if event.carried.is_some() => "carried over from load".to_string(),
        EventKind::Load(access) if access.non_coherent => "load.nc".to_string(),
        EventKind::Load(_) => "load".to_string(),
        EventKind::Store(_) => "store".to_string(),
        EventKind::Atomic => "atomic".to_string(),
        EventKind::Barrier { whole_block: true } => "barrier of the block".to_string(),
        EventKind::Barrier { whole_block: false } => "barrier".to_string(),
        EventKind::Fence => "fence".to_string(),
        EventKind::Opaque(_) => match &function.inst(event.inst).opcode {
            Opcode::Call {
                callee: Some(callee),
                ..
            } => format!("call {callee}"),
            Opcode::Call { .. } => "indirect call".to_string(),
            _ => "opaque".to_string(),
        },
    };
    match event.address {
        Some(address) => format!(
            "#{} {name} {:?} {}B [{}]{guard}",
            event.origin,
            event.space,
            event.bytes,
            terms.display(address)
        ),
        None => format!("#{} {name}{guard}", event.origin),
    }
}
