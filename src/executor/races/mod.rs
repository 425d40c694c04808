//! A data-race detector: watches one execution and finds accesses of two threads to the same byte, one a store, that
//! nothing orders and that are not strong for each other (PTX ISA, "Memory Consistency Model: Data races").
//!
//! A race is found in every interleaving in which the two accesses are not ordered, whether or not they came close. What
//! the launch or the interleaving did not execute is not judged. `ld.global.nc` counts as a plain load.
//!
//! | file | what |
//! | --- | --- |
//! | `clock` | vector clocks |
//! | `order` | what each thread knows of the others |
//! | `shadow` | what is remembered of the accesses to each byte |
//! | `statement` | what a statement does to memory |
//! | `report` | what is found |

mod clock;
mod order;
mod report;
mod shadow;
mod statement;
#[cfg(test)]
mod tests;

use super::error::Thread;
use super::lanes::lanes;
use super::launch::Launch;
use super::layout::global_memory_names;
use super::memory::MemoryLocation;
use super::observer::{Observer, TouchKind, Touched};
use super::program::Inst;
use super::state::Block;
use super::waiting::at;
use super::{ExecutionError, Options, Outcome, Schedule, observed};
use clock::Position;
use order::{Bytes, CLUSTER, Messages, Threads, after_atomic};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Action, Function, Module};
pub use report::{AccessKind, MAX_RACES, Race, RaceKind, Races, RacingAccess};
use rustc_hash::FxHashMap;
use shadow::{Budget, Class, Mark, RacingMark, Shadow, Strength, Visit};
use statement::{Statement, Statements, sides, strength};

/// Bytes that the detector takes at most for what it remembers of accesses.
const BUDGET: usize = 2 << 30;

/// Runs a kernel and looks for data races, up to its end or a fault: what a racing load finds may well be undefined.
pub fn find_races(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
) -> (Result<Outcome, ExecutionError>, Races) {
    let mut detector = Detector::new(module, launch);
    let result = observed(module, function, launch, schedule, options, &mut detector);
    (result, detector.finish())
}

/// A block that is running.
#[derive(Debug)]
struct Running {
    threads: Threads,
    /// By the region of shared memory.
    shadows: Vec<Shadow>,
    messages: Messages,
}

/// The detector.
#[derive(Debug)]
struct Detector {
    grid: [u32; 3],
    block: [u32; 3],
    /// Names of the regions of global memory.
    names: Vec<String>,
    threads_per_block: u64,
    statements: Statements,
    /// By number; none before its first access or synchronization, and after its end.
    running: Vec<Option<Box<Running>>>,
    /// Of global memory, by region.
    shadows: Vec<Shadow>,
    messages: Messages,
    budget: Budget,
    races: Vec<Race>,
    /// Where in the list the race of two statements is.
    listed: FxHashMap<(u32, u32, RaceKind), usize>,
    /// There were more.
    full: bool,
}

impl Detector {
    /// Before the first instruction.
    fn new(module: &Module, launch: &Launch) -> Self {
        let global = global_memory_names(module, launch);
        Detector {
            grid: launch.grid,
            block: launch.block,
            names: global,
            threads_per_block: launch
                .block
                .iter()
                .fold(1u64, |all, &n| all.saturating_mul(n.into())),
            statements: Statements::default(),
            running: Vec::new(),
            shadows: Vec::new(),
            messages: Messages::default(),
            budget: Budget::new(BUDGET),
            races: Vec::new(),
            listed: FxHashMap::default(),
            full: false,
        }
    }

    /// What was found.
    fn finish(self) -> Races {
        Races {
            list: self.races,
            complete: !self.full && !self.budget.exhausted,
        }
    }

    fn number(&self, block: &Block) -> u32 {
        (block.first_thread / self.threads_per_block) as u32
    }

    /// The running block of a number.
    fn enter(running: &mut Vec<Option<Box<Running>>>, number: u32, threads: u64) -> &mut Running {
        let index = number as usize;
        if running.len() <= index {
            running.resize_with(index + 1, || None);
        }
        running[index].get_or_insert_with(|| {
            Box::new(Running {
                threads: Threads::new(number, threads as usize),
                shadows: Vec::new(),
                messages: Messages::default(),
            })
        })
    }

    fn threads(&mut self, block: &Block) -> &mut Threads {
        let number = self.number(block);
        &mut Self::enter(&mut self.running, number, self.threads_per_block).threads
    }
}

/// What all elements of an access have in common.
struct Accessing {
    position: Position,
    number: u32,
    statement: Statement,
    unchanged: bool,
}

impl Detector {
    /// The position of a thread of a block.
    fn position(&self, block: &Block, thread: u64) -> Position {
        let index = (thread - block.first_thread) as u32;
        Position {
            block: self.number(block),
            warp: index / 32,
            lane: index % 32,
        }
    }

    /// One element of an access.
    fn element(&mut self, block: &Block, access: &Accessing, place: MemoryLocation) {
        let Accessing {
            position,
            number,
            statement,
            ..
        } = *access;
        let threads = self.threads_per_block;
        let running = Self::enter(&mut self.running, position.block, threads);
        let (shadows, messages) = match place.space {
            Space::Global => (&mut self.shadows, &mut self.messages),
            _ => (&mut running.shadows, &mut running.messages),
        };
        let Class {
            write,
            strength,
            size,
        } = statement.class;
        let bytes = Bytes {
            region: place.region,
            offset: place.offset,
            size: 1 << size,
        };
        let threads = &mut running.threads;
        if statement.kind != AccessKind::Store
            && strength != Strength::Weak
            && let Some(message) = messages.get(bytes)
        {
            threads.read(position, statement.sides, strength, message);
        }
        if shadows.len() <= place.region {
            shadows.resize_with(place.region + 1, Shadow::default);
        }
        let (epoch, clock) = threads.now(position);
        let visit = Visit::new(position, epoch, clock, number, statement.class);
        let found = shadows[place.region].visit(place.offset, &visit, &mut self.budget);
        if write {
            let before = messages.take(bytes);
            let own = match strength {
                Strength::Weak => None,
                _ => threads.write(position, statement.sides, strength, before.as_ref()),
            };
            let message = match statement.kind {
                AccessKind::Atomic => after_atomic(before, position, strength, own),
                _ => own,
            };
            if let Some(message) = message {
                messages.put(bytes, message);
            }
        }
        if let Some(found) = found {
            self.report(block, access, place, found);
        }
    }

    fn report(
        &mut self,
        block: &Block,
        access: &Accessing,
        place: MemoryLocation,
        found: RacingMark,
    ) {
        let first = self.statements.all[found.mark.statement as usize];
        let second = access.statement;
        let stores = first.kind == AccessKind::Store && second.kind == AccessKind::Store;
        let kind = match (first.class.write, second.class.write) {
            (true, true) if stores && access.unchanged => RaceKind::SameValue,
            (true, true) => RaceKind::WriteWrite,
            (true, false) => RaceKind::WriteRead,
            (false, _) => RaceKind::ReadWrite,
        };
        let key = (found.mark.statement, access.number, kind);
        if let Some(&index) = self.listed.get(&key) {
            self.races[index].count += 1;
            return;
        }
        if self.races.len() == MAX_RACES {
            self.full = true;
            return;
        }
        let region = match place.space {
            Space::Global => self.names.get(place.region).cloned(),
            _ => block
                .shared
                .regions
                .get(place.region)
                .map(|r| r.name.to_string()),
        };
        let first_at = of_mark(&found.mark, found.lanes);
        let race = Race {
            kind,
            first: self.party(first, first_at),
            second: self.party(second, access.position),
            space: place.space,
            region: region.unwrap_or_default(),
            offset: place.offset as u64,
            bytes: 1 << second.class.size,
            count: 1,
        };
        self.listed.insert(key, self.races.len());
        self.races.push(race);
    }

    fn party(&self, statement: Statement, at: Position) -> RacingAccess {
        RacingAccess {
            span: statement.span,
            thread: Thread::at(self.grid, self.block, u64::from(at.block), at.warp, at.lane),
            kind: statement.kind,
        }
    }
}

/// The lowest of some lanes of a mark.
fn of_mark(mark: &Mark, lanes: u32) -> Position {
    Position {
        block: mark.block,
        warp: u32::from(mark.warp),
        lane: lanes.trailing_zeros() % 32,
    }
}

impl Observer for Detector {
    const VALUES: bool = true;

    fn touched(&mut self, block: &Block, inst: &Inst, touched: Touched) {
        let space = match touched.place.space {
            Space::Global | Space::Generic => Space::Global,
            Space::Shared | Space::SharedCluster => Space::Shared,
            Space::Const | Space::Local | Space::ParamEntry | Space::ParamFunc => return,
        };
        let Some(number) = self
            .statements
            .number(inst, touched.kind != TouchKind::Load)
        else {
            return;
        };
        let statement = self.statements.all[number as usize];
        let access = Accessing {
            position: self.position(block, touched.thread),
            number,
            statement,
            unchanged: touched.unchanged,
        };
        // A vector load comes as a whole, a vector store in its elements.
        let elements = match touched.kind {
            TouchKind::Load => statement.elements,
            TouchKind::Store | TouchKind::Atomic => 1,
        };
        for i in 0..usize::from(elements) {
            let place = MemoryLocation {
                space,
                offset: touched.place.offset + (i << statement.class.size),
                ..touched.place
            };
            self.element(block, &access, place);
        }
    }

    fn fence(&mut self, block: &Block, w: usize, inst: &Inst, on: u32) {
        let Action::Do(Opcode::Fence(order, scope)) = inst.source.action else {
            return;
        };
        let number = self.number(block);
        let threads = self.threads(block);
        for lane in lanes(on) {
            let position = Position {
                block: number,
                warp: w as u32,
                lane: lane as u32,
            };
            threads.fence(position, sides(order), strength(order, scope));
        }
    }

    fn warp_barrier(&mut self, block: &Block, w: usize, members: u32) {
        self.threads(block).meet(&[(w as u32, members)], None);
    }

    fn arrived(&mut self, block: &Block, w: usize, on: u32, number: usize) {
        self.threads(block).arrive(w as u32, on, number);
    }

    fn barrier(&mut self, block: &Block, number: usize) {
        let warps = block.warps.iter().enumerate();
        let groups = warps.map(|(w, warp)| (w as u32, at(warp, number)));
        let groups: Vec<(u32, u32)> = groups.filter(|&(_, lanes)| lanes != 0).collect();
        self.threads(block).meet(&groups, Some(number));
    }

    fn arrived_at_cluster(&mut self, block: &Block, w: usize, on: u32) {
        self.threads(block).arrive(w as u32, on, CLUSTER);
    }

    fn left_cluster(&mut self, block: &Block, w: usize, on: u32) {
        self.threads(block).meet(&[(w as u32, on)], Some(CLUSTER));
    }

    fn finished(&mut self, block: &Block) {
        let number = self.number(block) as usize;
        if let Some(running) = self.running.get_mut(number).and_then(Option::take) {
            for shadow in running.shadows {
                shadow.release(&mut self.budget);
            }
        }
    }
}
